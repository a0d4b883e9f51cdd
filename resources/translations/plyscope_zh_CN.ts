<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Plyscope</name>
    <message>
      <source>The rooms cannot be arranged as they were kept: they are as at first.</source>
      <translation>无法按保存的样子排列面板：已恢复为初始布局。</translation>
    </message>
    <message>
      <source>{seconds} is no time for a position; it must be above 0 and at most {most:g} s</source>
      <translation>{seconds} 不能作为每个局面的时间；它必须大于 0，且不超过 {most:g} 秒</translation>
    </message>
    <message>
      <source>{seconds} s</source>
      <translation>{seconds} 秒</translation>
    </message>
    <message>
      <source>The uniform prior ignores the board: there is no net to look into.</source>
      <translation>均匀先验不看棋盘：没有可以查看的网络。</translation>
    </message>
    <message>
      <source>No game is open.</source>
      <translation>没有打开的对局。</translation>
    </message>
    <message>
      <source>{count} games read…</source>
      <translation>已读取 {count} 局…</translation>
    </message>
    <message>
      <source>it was searched with other settings</source>
      <translation>它是用其他设置搜索的</translation>
    </message>
    <message>
      <source>it was searched with other moves chosen</source>
      <translation>它搜索的是另选的着法</translation>
    </message>
    <message>
      <source>there is not enough memory to copy the tree</source>
      <translation>内存不足，无法复制树</translation>
    </message>
    <message>
      <source>The games of the match are not kept in a file: {reason}.</source>
      <translation>对抗赛的棋局没有存入文件：{reason}。</translation>
    </message>
    <message>
      <source>The game is over.</source>
      <translation>对局已结束。</translation>
    </message>
    <message>
      <source>the net gives no ownership</source>
      <translation>该网络不给出归属</translation>
    </message>
    <message>
      <source>the net gives no win, draw and loss</source>
      <translation>网络不给出胜、和、负</translation>
    </message>
    <message>
      <source>not available for a search on another machine</source>
      <translation>对另一台机器上的搜索不可用</translation>
    </message>
    <message>
      <source>a mean is of the present of a search alone</source>
      <translation>平均归属只对搜索的当前时刻给出</translation>
    </message>
    <message>
      <source>Leaves are evaluated by random rollouts: no net is used.</source>
      <translation>叶节点由随机走子评估：不使用网络。</translation>
    </message>
    <message>
      <source>The uniform prior ignores the board: it is the same under every symmetry.</source>
      <translation>均匀先验不看棋盘：在每种对称下结果相同。</translation>
    </message>
    <message>
      <source>The game is over: a net evaluates only positions with legal moves.</source>
      <translation>对局已结束：网络只评估仍有合法着法的局面。</translation>
    </message>
    <message>
      <source>{sentence}.</source>
      <translation>{sentence}。</translation>
    </message>
    <message>
      <source>evaluating with {net} under {symmetries} symmetries…</source>
      <translation>正在用 {net} 评估 {symmetries} 种对称…</translation>
    </message>
    <message>
      <source>loading {net}…</source>
      <translation>正在载入 {net}…</translation>
    </message>
    <message>
      <source>Read with I</source>
      <translation>按含 I 读取</translation>
    </message>
    <message>
      <source>Read without I</source>
      <translation>按不含 I 读取</translation>
    </message>
    <message>
      <source>Count from 0</source>
      <translation>从 0 数起</translation>
    </message>
    <message>
      <source>Count from 1</source>
      <translation>从 1 数起</translation>
    </message>
    <message>
      <source>{net} does not say what its planes are; read as those of {name}: {planes}. Check: {check}.</source>
      <translation>{net} 没有说明其输入平面的含义；按 {name} 的平面读取：{planes}。检验：{check}。</translation>
    </message>
    <message>
      <source>{net} does not say what its planes are; read as: {planes}. Check: {check}.</source>
      <translation>{net} 没有说明其输入平面的含义；按以下平面读取：{planes}。检验：{check}。</translation>
    </message>
    <message>
      <source>Nets (*.onnx *.bin.gz *.txt.gz);;All files (*)</source>
      <translation>网络 (*.onnx *.bin.gz *.txt.gz);;所有文件 (*)</translation>
    </message>
    <message>
      <source>rank_5k, with the openings before AlphaZero preaz_5k; rank_5k_1d: Black's rank and White's; proyear_1990: professionals of a year</source>
      <translation>rank_5k；用 AlphaZero 之前的布局：preaz_5k；rank_5k_1d：黑方和白方的级段；proyear_1990：某一年的职业棋手</translation>
    </message>
    <message>
      <source>Other players…</source>
      <translation>其他棋手…</translation>
    </message>
    <message>
      <source>New game</source>
      <translation>新对局</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>打开</translation>
    </message>
    <message>
      <source>&amp;Open a net…</source>
      <translation>打开网络(&amp;O)…</translation>
    </message>
    <message>
      <source>{net} is a net for {game}, which is now open.</source>
      <translation>{net} 是用于{game}的网络，该棋类现已打开。</translation>
    </message>
    <message>
      <source>Open a human net…</source>
      <translation>打开人类网络…</translation>
    </message>
    <message>
      <source>{net} does not say its game.</source>
      <translation>{net} 没有说明它用于哪种棋。</translation>
    </message>
    <message>
      <source>The game has a position that was set up: the one on the board is copied.</source>
      <translation>对局中有摆设的局面：已复制棋盘上的局面。</translation>
    </message>
    <message>
      <source>There is no text in the clipboard: copy moves or a diagram first.</source>
      <translation>剪贴板中没有文本：请先复制着法或局面图。</translation>
    </message>
    <message>
      <source>The numbers of the pasted points may count from 0 or from 1.</source>
      <translation>粘贴的坐标可能从 0 数起，也可能从 1 数起。</translation>
    </message>
    <message>
      <source>Random rollouts (UCT)</source>
      <translation>随机走子（UCT）</translation>
    </message>
    <message>
      <source>Uniform prior, value 0</source>
      <translation>均匀先验，价值 0</translation>
    </message>
    <message>
      <source>None</source>
      <translation>无</translation>
    </message>
    <message>
      <source>If they mean something else, correct it: How to read it… in the menu of the net.</source>
      <translation>如果它们另有含义，请在网络菜单的“如何读取…”中更正。</translation>
    </message>
    <message>
      <source>the position on the board</source>
      <translation>棋盘上的局面</translation>
    </message>
    <message>
      <source>{path!r} is a net of this program already and needs no recipe</source>
      <translation>{path!r} 已是本程序的网络，不需要配方</translation>
    </message>
    <message>
      <source>Imitated players</source>
      <translation>模仿的棋手</translation>
    </message>
    <message>
      <source>Human net beside the search</source>
      <translation>搜索之外的人类网络</translation>
    </message>
    <message>
      <source>a win in one move, {number}</source>
      <translation>一步制胜的局面 {number}</translation>
    </message>
    <message>
      <source>a random position, {number}</source>
      <translation>随机局面 {number}</translation>
    </message>
    <message>
      <source>How to read {net}…</source>
      <translation>如何读取 {net}…</translation>
    </message>
    <message>
      <source>preview, {simulations}, {change}</source>
      <translation>预览，{simulations}，{change}</translation>
    </message>
    <message>
      <source>{name} is saved.</source>
      <translation>{name} 已保存。</translation>
    </message>
    <message>
      <source>The game is over: there is no move to value.</source>
      <translation>对局已结束：没有可评估的着法。</translation>
    </message>
    <message>
      <source>solving for {time}</source>
      <translation>已求解 {time}</translation>
    </message>
    <message>
      <source>solving for {time}, can take minutes</source>
      <translation>已求解 {time}，可能需要几分钟</translation>
    </message>
    <message>
      <source>{count} positions, {rate} a second</source>
      <translation>{count} 个局面，每秒 {rate}</translation>
    </message>
    <message>
      <source>{low} to {high} discs, best so far {best}</source>
      <translation>{low} 至 {high} 子，目前最佳 {best}</translation>
    </message>
    <message>
      <source>{known} of {moves} moves solved</source>
      <translation>{moves} 步中已解出 {known} 步</translation>
    </message>
    <message>
      <source>{score} discs, {known} of {moves} moves solved</source>
      <translation>{score} 子，{moves} 步中已解出 {known} 步</translation>
    </message>
    <message>
      <source>{low} to {high} discs</source>
      <translation>{low} 至 {high} 子</translation>
    </message>
    <message>
      <source>Not solved: {sentence}.</source>
      <translation>未能求解：{sentence}。</translation>
    </message>
    <message>
      <source>all {moves} moves solved, in how many plies is still sought</source>
      <translation>{moves} 个着法均已解出，还在求各需多少步</translation>
    </message>
    <message>
      <source>solving…</source>
      <translation>正在求解…</translation>
    </message>
    <message>
      <source>Connect Four {rows}×{cols}, {k} in a row</source>
      <translation>四子棋 {rows}×{cols}，连 {k} 子</translation>
    </message>
    <message>
      <source>Connect Four, {k} in a row</source>
      <translation>四子棋，连 {k} 子</translation>
    </message>
    <message>
      <source>Connect Four {rows}×{cols}</source>
      <translation>四子棋 {rows}×{cols}</translation>
    </message>
    <message>
      <source>Gomoku {size}×{size}, exactly five</source>
      <translation>五子棋 {size}×{size}，恰好五子</translation>
    </message>
    <message>
      <source>Gomoku {size}×{size}</source>
      <translation>五子棋 {size}×{size}</translation>
    </message>
    <message>
      <source>Othello {size}×{size}, no passes</source>
      <translation>黑白棋 {size}×{size}，无弃权</translation>
    </message>
    <message>
      <source>Othello, no passes</source>
      <translation>黑白棋，无弃权</translation>
    </message>
    <message>
      <source>Othello {size}×{size}</source>
      <translation>黑白棋 {size}×{size}</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}</source>
      <translation>围棋 {rows}×{cols}</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}, Chinese rules</source>
      <translation>围棋 {rows}×{cols}，中国规则</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}, AGA rules</source>
      <translation>围棋 {rows}×{cols}，AGA 规则</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}, New Zealand rules</source>
      <translation>围棋 {rows}×{cols}，新西兰规则</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}, Japanese rules</source>
      <translation>围棋 {rows}×{cols}，日本规则</translation>
    </message>
    <message>
      <source>Go {rows}×{cols}, Korean rules</source>
      <translation>围棋 {rows}×{cols}，韩国规则</translation>
    </message>
    <message>
      <source>Nim {heaps}, take any number</source>
      <translation>尼姆游戏 {heaps}，任取</translation>
    </message>
    <message>
      <source>Nim {heaps}, take 1–{most}</source>
      <translation>尼姆游戏 {heaps}，取 1–{most}</translation>
    </message>
    <message>
      <source>Nim {heaps}, take 1</source>
      <translation>尼姆游戏 {heaps}，取 1</translation>
    </message>
    <message>
      <source>Nim {heaps}, take any number, the last chip loses</source>
      <translation>尼姆游戏 {heaps}，任取，取最后一个者负</translation>
    </message>
    <message>
      <source>Nim {heaps}, take 1–{most}, the last chip loses</source>
      <translation>尼姆游戏 {heaps}，取 1–{most}，取最后一个者负</translation>
    </message>
    <message>
      <source>Nim {heaps}, take 1, the last chip loses</source>
      <translation>尼姆游戏 {heaps}，取 1，取最后一个者负</translation>
    </message>
    <message>
      <source>random rollouts on CPU</source>
      <translation>CPU 随机走子</translation>
    </message>
    <message>
      <source>random rollouts on CPU, {threads} threads</source>
      <translation>CPU 随机走子，{threads} 个线程</translation>
    </message>
    <message>
      <source>tactical rollouts on CPU</source>
      <translation>CPU 战术走子</translation>
    </message>
    <message>
      <source>tactical rollouts on CPU, {threads} threads</source>
      <translation>CPU 战术走子，{threads} 个线程</translation>
    </message>
    <message>
      <source>{net} on CPU</source>
      <translation>{net}（CPU）</translation>
    </message>
    <message>
      <source>{net} on CUDA</source>
      <translation>{net}（CUDA）</translation>
    </message>
    <message>
      <source>{net}, {runtime} on CPU</source>
      <translation>{net}（{runtime}，CPU）</translation>
    </message>
    <message>
      <source>{net}, {runtime} on GPU</source>
      <translation>{net}（{runtime}，GPU）</translation>
    </message>
    <message>
      <source>{text_0} or {text_1}</source>
      <translation>{text_0}或 {text_1}</translation>
    </message>
    <message>
      <source>{text_0} or {text_1} or {text_2}</source>
      <translation>{text_0}或 {text_1}或 {text_2}</translation>
    </message>
    <message>
      <source>{text_0} and {text_1}</source>
      <translation>{text_0}与{text_1}</translation>
    </message>
    <message>
      <source>{text_0} and {text_1} and {text_2}</source>
      <translation>{text_0}与{text_1}与{text_2}</translation>
    </message>
    <message>
      <source>{text_0}; {text_1}</source>
      <translation>{text_0}；{text_1}</translation>
    </message>
    <message>
      <source>{text_0}; {text_1}; {text_2}</source>
      <translation>{text_0}；{text_1}；{text_2}</translation>
    </message>
    <message>
      <source>limit reached</source>
      <translation>已达上限</translation>
    </message>
    <message>
      <source>memory budget full</source>
      <translation>内存预算已满</translation>
    </message>
    <message>
      <source>analysing move {number} · locked</source>
      <translation>正在分析第 {number} 手 · 已锁定</translation>
    </message>
    <message>
      <source>move {number} is analysed · locked</source>
      <translation>已分析第 {number} 手 · 已锁定</translation>
    </message>
    <message>
      <source>shown</source>
      <translation>正在显示</translation>
    </message>
    <message>
      <source>in memory</source>
      <translation>在内存中</translation>
    </message>
    <message>
      <source>on disk</source>
      <translation>在磁盘上</translation>
    </message>
    <message>
      <source>not searched yet</source>
      <translation>尚未搜索</translation>
    </message>
    <message>
      <source>closed</source>
      <translation>已关闭</translation>
    </message>
    <message>
      <source>start</source>
      <translation>起始局面</translation>
    </message>
    <message>
      <source>plays at the cursor of the board</source>
      <translation>用于在棋盘光标处落子</translation>
    </message>
    <message>
      <source>moves the cursor over the board</source>
      <translation>用于在棋盘上移动光标</translation>
    </message>
    <message>
      <source>goes to the next field</source>
      <translation>用于转到下一个字段</translation>
    </message>
    <message>
      <source>{key} {what}: choose another key.</source>
      <translation>{key} {what}：请另选一个按键。</translation>
    </message>
    <message>
      <source>{key} is already the key of “{command}”: choose another one, or reassign it.</source>
      <translation>{key} 已是“{command}”的按键：请另选一个，或将其接管。</translation>
    </message>
    <message>
      <source>{key} is now the key of “{command}”.</source>
      <translation>{key} 现在是“{command}”的按键。</translation>
    </message>
    <message>
      <source>the analysis is hidden while you play</source>
      <translation>对局中，分析已隐藏</translation>
    </message>
    <message>
      <source>loading the engine…</source>
      <translation>正在载入引擎…</translation>
    </message>
    <message>
      <source>best move settled</source>
      <translation>最佳着法已稳定</translation>
    </message>
    <message>
      <source>best move undecided</source>
      <translation>最佳着法未定</translation>
    </message>
    <message>
      <source>others hardly tried</source>
      <translation>其余几乎未试</translation>
    </message>
    <message>
      <source>best move changing</source>
      <translation>最佳着法变动中</translation>
    </message>
    <message>
      <source>The best move has been the same over the last half of the simulations, and the runner-up is far behind in visits and in value.</source>
      <translation>最近一半的模拟中最佳着法未变，且次佳着法在访问次数与价值上都相距甚远。</translation>
    </message>
    <message>
      <source>The best move has changed within the last half of the simulations.</source>
      <translation>最近一半的模拟中最佳着法有变。</translation>
    </message>
    <message>
      <source>The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still take its place: it is near in visits.</source>
      <translation>在后一半模拟中最佳着法没有变，但第二名 {move} 仍可能取代它：访问次数相近。</translation>
    </message>
    <message>
      <source>The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still take its place: its value is not lower.</source>
      <translation>在后一半模拟中最佳着法没有变，但第二名 {move} 仍可能取代它：它的价值并不更低。</translation>
    </message>
    <message>
      <source>The best move has been the same over the last half of the simulations, but {move}, the runner-up, may still take its place: it has so few visits that its value may still turn out higher.</source>
      <translation>在后一半模拟中最佳着法没有变，但第二名 {move} 仍可能取代它：它的访问次数太少，价值仍可能更高。</translation>
    </message>
    <message>
      <source>random rollouts</source>
      <translation>随机走子</translation>
    </message>
    <message>
      <source>uniform prior</source>
      <translation>均匀先验</translation>
    </message>
    <message>
      <source>{path} is not a file</source>
      <translation>{path} 不是文件</translation>
    </message>
    <message>
      <source>{net} has changed since it was opened; open it again</source>
      <translation>{net} 在打开之后被重新写入；请再次打开</translation>
    </message>
    <message>
      <source>{name} (outside engine)</source>
      <translation>{name}（外部引擎）</translation>
    </message>
    <message>
      <source>{net} (by its policy, no search)</source>
      <translation>{net}（按其策略，不搜索）</translation>
    </message>
    <message>
      <source>{path!r} cannot be read: {strerror}</source>
      <translation>{path!r} 无法读取：{strerror}</translation>
    </message>
    <message>
      <source>What is to blame for the search's mistakes</source>
      <translation>搜索失误的原因</translation>
    </message>
    <message>
      <source>{examined} of {count} mistakes, 95 % interval {low} to {high}</source>
      <translation>{count} 个失误中的 {examined} 个，95 % 区间 {low} 至 {high}</translation>
    </message>
    <message>
      <source>To blame for the search's mistakes: {examined} of {count} examined</source>
      <translation>搜索失误的原因：{count} 个中检查了 {examined} 个</translation>
    </message>
    <message>
      <source>Predicted value against the mean result, both for the side to move, with 95 % intervals: on the diagonal a value means what it says. Results are exact where a position was solved, else those of the game it is from.</source>
      <translation>预测价值对平均结果，均就轮走方而言，附 95 % 区间：在对角线上价值名副其实。已解出的局面用精确结果，否则用其所属对局的结果。</translation>
    </message>
    <message>
      <source>net, mean error</source>
      <translation>网络，平均误差</translation>
    </message>
    <message>
      <source>search, mean error</source>
      <translation>搜索，平均误差</translation>
    </message>
    <message>
      <source>Report as a page…</source>
      <translation>报告（网页）…</translation>
    </message>
    <message>
      <source>Inside the net: mistakes and wrong reasons, as a page…</source>
      <translation>网络内部：错误与错误的理由，存为网页……</translation>
    </message>
    <message>
      <source>Positions as CSV…</source>
      <translation>局面（CSV）…</translation>
    </message>
    <message>
      <source>Mistakes as openings of a training run…</source>
      <translation>失误作为训练的开局…</translation>
    </message>
    <message>
      <source>lost</source>
      <translation>负局</translation>
    </message>
    <message>
      <source>drawn</source>
      <translation>和局</translation>
    </message>
    <message>
      <source>won</source>
      <translation>胜局</translation>
    </message>
    <message>
      <source>Position</source>
      <translation>局面</translation>
    </message>
    <message>
      <source>Dashed orange ring: the net's first move. Blue ring: the search's. Green dots: the moves that keep the exact value, where another loses something. A click opens the position with this net.</source>
      <translation>橙色虚线圈：网络的首选着法。蓝圈：搜索的着法。绿点：保持精确结果的着法（仅当另有着法会吃亏时）。点击则用此网络打开该局面。</translation>
    </message>
    <message>
      <source>Ply</source>
      <translation>手数</translation>
    </message>
    <message>
      <source>To move</source>
      <translation>轮走方</translation>
    </message>
    <message>
      <source>Net</source>
      <translation>网络</translation>
    </message>
    <message>
      <source>The net's first move, with its prior P.</source>
      <translation>网络的首选着法及其先验概率 P。</translation>
    </message>
    <message>
      <source>Search</source>
      <translation>搜索</translation>
    </message>
    <message>
      <source>The move that the search would play, with its share π.</source>
      <translation>搜索将下的着法及其占比 π。</translation>
    </message>
    <message>
      <source>Searched</source>
      <translation>搜索价值</translation>
    </message>
    <message>
      <source>Exact</source>
      <translation>精确</translation>
    </message>
    <message>
      <source>The exact result for the side to move; empty where the position was not solved.</source>
      <translation>轮走方的精确结果；未解出的局面留空。</translation>
    </message>
    <message>
      <source>KL</source>
      <translation>KL</translation>
    </message>
    <message>
      <source>How much the search changed the policy: KL(π || P) in nats.</source>
      <translation>搜索改变策略的程度：KL(π || P)，单位为奈特。</translation>
    </message>
    <message>
      <source>Swing</source>
      <translation>起伏</translation>
    </message>
    <message>
      <source>What the search added to the net's value.</source>
      <translation>搜索在网络价值上增加的量。</translation>
    </message>
    <message>
      <source>Loss</source>
      <translation>损失</translation>
    </message>
    <message>
      <source>What the net's first move loses: exactly where the position is solved, from 0 to 2 (a win thrown into a loss); else Q of the search's move less Q of the net's.</source>
      <translation>网络首选着法的损失：已解出的局面为精确值，从 0 到 2（胜变负）；否则为搜索着法的 Q 减去网络着法的 Q。</translation>
    </message>
    <message>
      <source>Certain</source>
      <translation>确定</translation>
    </message>
    <message>
      <source>What is wrong for certain: the net's first move, the search's, or both.</source>
      <translation>确定有错的是：网络的首选、搜索的着法，或两者。</translation>
    </message>
    <message>
      <source>To blame</source>
      <translation>原因</translation>
    </message>
    <message>
      <source>What is to blame for the search's mistake, where that was examined: policy, value, horizon or chance.</source>
      <translation>搜索失误的原因（若已检查）：策略、价值、视野或偶然。</translation>
    </message>
    <message>
      <source>Positions of the audit</source>
      <translation>审查的局面</translation>
    </message>
    <message>
      <source>net wrong</source>
      <translation>网络错</translation>
    </message>
    <message>
      <source>both wrong</source>
      <translation>两者皆错</translation>
    </message>
    <message>
      <source>search wrong</source>
      <translation>搜索错</translation>
    </message>
    <message>
      <source>Random positions</source>
      <translation>随机局面</translation>
    </message>
    <message>
      <source>Games by the net's policy</source>
      <translation>按网络策略下的对局</translation>
    </message>
    <message>
      <source>A file of games…</source>
      <translation>对局文件…</translation>
    </message>
    <message>
      <source>A folder of games…</source>
      <translation>对局文件夹…</translation>
    </message>
    <message>
      <source>Games of a training run…</source>
      <translation>训练的自对弈对局…</translation>
    </message>
    <message>
      <source>All positions</source>
      <translation>所有局面</translation>
    </message>
    <message>
      <source>All mistakes</source>
      <translation>所有失误</translation>
    </message>
    <message>
      <source>Net certainly wrong</source>
      <translation>网络确定有错</translation>
    </message>
    <message>
      <source>Search certainly wrong</source>
      <translation>搜索确定有错</translation>
    </message>
    <message>
      <source>Search plays another move</source>
      <translation>搜索另选着法</translation>
    </message>
    <message>
      <source>The nets differ</source>
      <translation>两网络不同</translation>
    </message>
    <message>
      <source>Neighbours it gets wrong</source>
      <translation>出错的邻近局面</translation>
    </message>
    <message>
      <source>Positions are searched with the net on the board and listed by how far the search overturned the net.</source>
      <translation>用棋盘上的网络搜索许多局面，并按搜索推翻网络的程度列出。</translation>
    </message>
    <message>
      <source>Stop</source>
      <translation>停止</translation>
    </message>
    <message>
      <source>Continue</source>
      <translation>继续进行</translation>
    </message>
    <message>
      <source>Find blind spots</source>
      <translation>查找盲点</translation>
    </message>
    <message>
      <source>Source of the positions</source>
      <translation>局面来源</translation>
    </message>
    <message>
      <source>Number of positions</source>
      <translation>局面的数目</translation>
    </message>
    <message>
      <source>Plies of the positions</source>
      <translation>局面的手数</translation>
    </message>
    <message>
      <source>all</source>
      <translation>不限</translation>
    </message>
    <message>
      <source>Moves played before the positions, as in 8-20; empty: the usual ones.</source>
      <translation>局面之前已下的手数，如 8-20；留空则用通常的范围。</translation>
    </message>
    <message>
      <source>Simulations for each position</source>
      <translation>每个局面的模拟次数</translation>
    </message>
    <message>
      <source>neighbours</source>
      <translation>邻近局面</translation>
    </message>
    <message>
      <source>Only positions where a win or a draw can be thrown away, and two quiet moves from each the neighbour of the same exact result that the net gets most wrong.</source>
      <translation>只取可能丢掉胜或和的局面，并为每个局面找出相隔两步平静着法、精确结果相同而网络错得最重的邻近局面。</translation>
    </message>
    <message>
      <source>Second net…</source>
      <translation>第二个网络…</translation>
    </message>
    <message>
      <source>New audit</source>
      <translation>新的审查</translation>
    </message>
    <message>
      <source>One net only</source>
      <translation>只用一个网络</translation>
    </message>
    <message>
      <source>Positions shown</source>
      <translation>显示的局面</translation>
    </message>
    <message>
      <source>Net whose figures are shown</source>
      <translation>显示哪个网络的数字</translation>
    </message>
    <message>
      <source>Shape of the mistakes shown</source>
      <translation>显示的失误形状</translation>
    </message>
    <message>
      <source>What is to blame?</source>
      <translation>失误的原因是什么？</translation>
    </message>
    <message>
      <source>Examines up to 50 mistakes of the search: each position is searched again with one prior or one value of the net corrected at a time.</source>
      <translation>检查搜索的至多 50 个失误：每个局面重新搜索，每次只改正网络的一个先验或一个价值。</translation>
    </message>
    <message>
      <source>Open an audit…</source>
      <translation>打开审查…</translation>
    </message>
    <message>
      <source>Export</source>
      <translation>导出</translation>
    </message>
    <message>
      <source>Figures of the audit</source>
      <translation>审查的数字</translation>
    </message>
    <message>
      <source>gathering the positions…</source>
      <translation>正在收集局面…</translation>
    </message>
    <message>
      <source>any shape</source>
      <translation>任意形状</translation>
    </message>
    <message>
      <source>{count} × {shape}, mean loss {loss}</source>
      <translation>{count} × {shape}，平均损失 {loss}</translation>
    </message>
    <message>
      <source>Export the audit</source>
      <translation>导出审查</translation>
    </message>
    <message>
      <source>{share} ({low} to {high}) of {count} played right</source>
      <translation>走对的 {count} 个局面中的 {share}（{low} 至 {high}）</translation>
    </message>
    <message>
      <source>The net is looked into, and then the page is written; Esc writes it with what is known by then.</source>
      <translation>正在查看网络内部，随后写出网页；按 Esc 则以当时已知的内容写出。</translation>
    </message>
    <message>
      <source>Choose where the games are.</source>
      <translation>请选择对局所在之处。</translation>
    </message>
    <message>
      <source>Games (*.sgf *.plyscope);;All files (*)</source>
      <translation>对局 (*.sgf *.plyscope);;所有文件 (*)</translation>
    </message>
    <message>
      <source>Nets (*.onnx);;All files (*)</source>
      <translation>网络 (*.onnx);;所有文件 (*)</translation>
    </message>
    <message>
      <source>Choose a net first: random games have no blind spots.</source>
      <translation>请先选择网络：随机走子没有盲点。</translation>
    </message>
    <message>
      <source>net's first move is the search's: {share}</source>
      <translation>网络首选即搜索的着法：{share}</translation>
    </message>
    <message>
      <source>search's move among the net's first three: {share}</source>
      <translation>搜索的着法在网络前三之中：{share}</translation>
    </message>
    <message>
      <source>mean KL {kl}, mean change of the value {swing}</source>
      <translation>平均 KL {kl}，价值平均变化 {swing}</translation>
    </message>
    <message>
      <source>net wrong at a neighbour: {score}</source>
      <translation>网络在邻近局面出错：{score}</translation>
    </message>
    <message>
      <source>search wrong at a neighbour: {score}</source>
      <translation>搜索在邻近局面出错：{score}</translation>
    </message>
    <message>
      <source>positions</source>
      <translation>个局面</translation>
    </message>
    <message>
      <source>plies</source>
      <translation>手</translation>
    </message>
    <message>
      <source>simulations</source>
      <translation>次模拟</translation>
    </message>
    <message>
      <source>{judged} of {total} positions · {how}</source>
      <translation>{total} 个局面中的 {judged} 个 · {how}</translation>
    </message>
    <message>
      <source>solved: {solved}; net wrong {net}, search wrong {search}</source>
      <translation>已解出：{solved}；网络错 {net}，搜索错 {search}</translation>
    </message>
    <message>
      <source>on moves that lose something: prior {prior}, visits {visits}</source>
      <translation>在吃亏的着法上：先验 {prior}，访问 {visits}</translation>
    </message>
    <message>
      <source>second net: {net}</source>
      <translation>第二个网络：{net}</translation>
    </message>
    <message>
      <source>preview · Esc returns</source>
      <translation>预览 · Esc 返回</translation>
    </message>
    <message>
      <source>after {ply} moves</source>
      <translation>{ply} 手之后</translation>
    </message>
    <message>
      <source>move {ply}</source>
      <translation>第 {ply} 手</translation>
    </message>
    <message>
      <source>its move is wrong now</source>
      <translation>它现在的着法是错的</translation>
    </message>
    <message>
      <source>its move was never wrong</source>
      <translation>它的着法从未出错</translation>
    </message>
    <message>
      <source>the search's move is wrong now</source>
      <translation>搜索现在的着法是错的</translation>
    </message>
    <message>
      <source>the search's move was never wrong</source>
      <translation>搜索的着法从未出错</translation>
    </message>
    <message>
      <source>the search says {value} for {player}</source>
      <translation>搜索认为{player} {value}</translation>
    </message>
    <message>
      <source>its move is right since {simulations}</source>
      <translation>它的着法自第 {simulations} 次起正确</translation>
    </message>
    <message>
      <source>the search's move is right since {simulations}</source>
      <translation>搜索的着法自第 {simulations} 次起正确</translation>
    </message>
    <message>
      <source>Play a playout</source>
      <translation>播放一次模拟</translation>
    </message>
    <message>
      <source>Playout</source>
      <translation>一次模拟</translation>
    </message>
    <message>
      <source>{words} · Esc returns to the present</source>
      <translation>{words} · Esc 返回现在</translation>
    </message>
    <message>
      <source>at {place} · Esc returns</source>
      <translation>第 {place} 次 · Esc 返回</translation>
    </message>
    <message>
      <source>after {ply} moves · click dead stones</source>
      <translation>{ply} 手后 · 请点击死子</translation>
    </message>
    <message>
      <source>Overlay</source>
      <translation>叠加图</translation>
    </message>
    <message>
      <source>neither side holds a point for certain yet</source>
      <translation>双方都还没有确定占有的点</translation>
    </message>
    <message>
      <source>another program</source>
      <translation>另一程序</translation>
    </message>
    <message>
      <source>Stop solving: back to “{overlay}” (Esc)</source>
      <translation>停止求解：回到“{overlay}”（Esc）</translation>
    </message>
    <message>
      <source>Moves played</source>
      <translation>已走的着法</translation>
    </message>
    <message>
      <source>Count</source>
      <translation>计分</translation>
    </message>
    <message>
      <source>Record result</source>
      <translation>记录结果</translation>
    </message>
    <message>
      <source>Write the result and whose points are whose to the game's record; files get RE, TB and TW</source>
      <translation>将结果及各点的归属写入棋谱；文件中为 RE、TB 和 TW</translation>
    </message>
    <message>
      <source>no move yet: click the board</source>
      <translation>尚无着法：请点击棋盘</translation>
    </message>
    <message>
      <source>no move yet</source>
      <translation>尚无着法</translation>
    </message>
    <message>
      <source>Go there</source>
      <translation>前往</translation>
    </message>
    <message>
      <source>Show the locked position</source>
      <translation>显示锁定的局面</translation>
    </message>
    <message>
      <source>Unlock</source>
      <translation>解锁</translation>
    </message>
    <message>
      <source>Let the search follow the board again (L)</source>
      <translation>让搜索重新跟随棋盘 (L)</translation>
    </message>
    <message>
      <source>Only</source>
      <translation>仅搜</translation>
    </message>
    <message>
      <source>All moves</source>
      <translation>全部着法</translation>
    </message>
    <message>
      <source>Search every move again</source>
      <translation>重新搜索每个着法</translation>
    </message>
    <message>
      <source>What is searched</source>
      <translation>搜索的内容</translation>
    </message>
    <message>
      <source>The search is locked on another position; unlock it to choose moves here.</source>
      <translation>搜索锁定在另一局面；解锁后才能在此选择着法。</translation>
    </message>
    <message>
      <source>and {count} more</source>
      <translation>及另外 {count} 个</translation>
    </message>
    <message>
      <source>{count} moves</source>
      <translation>{count} 个着法</translation>
    </message>
    <message>
      <source>Search all moves</source>
      <translation>搜索所有着法</translation>
    </message>
    <message>
      <source>No move is selected; choose one in the table of moves first.</source>
      <translation>没有选中着法；请先在着法表中选择一个。</translation>
    </message>
    <message>
      <source>Without</source>
      <translation>不搜</translation>
    </message>
    <message>
      <source>and 888 more</source>
      <translation>及另外 888 个</translation>
    </message>
    <message>
      <source>That changes nothing for the selected move.</source>
      <translation>这对选中的着法没有影响。</translation>
    </message>
    <message>
      <source>Search only {name}</source>
      <translation>只搜索 {name}</translation>
    </message>
    <message>
      <source>Search {name}, too</source>
      <translation>也搜索 {name}</translation>
    </message>
    <message>
      <source>Leave {name} out</source>
      <translation>不搜索 {name}</translation>
    </message>
    <message>
      <source>Why not {name}?</source>
      <translation>为何不走 {name}？</translation>
    </message>
    <message>
      <source>Where {name} occurs in the tree</source>
      <translation>{name} 在树中的各处</translation>
    </message>
    <message>
      <source>The search is locked on another position</source>
      <translation>搜索锁定在另一局面</translation>
    </message>
    <message>
      <source>{name} is the only move</source>
      <translation>{name} 是唯一的着法</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>价值</translation>
    </message>
    <message>
      <source>captured stones: {first} {blacks}, {second} {whites}</source>
      <translation>被提的棋子：{first} {blacks}，{second} {whites}</translation>
    </message>
    <message>
      <source>Left click: {first}. Right click: {second}. Click again to remove.</source>
      <translation>左键：{first}。右键：{second}。再次单击：移除。</translation>
    </message>
    <message>
      <source>Left click: {first}. Right click: {second}. Click again to remove. Discs fall.</source>
      <translation>左键：{first}。右键：{second}。再次单击：移除。棋子会下落。</translation>
    </message>
    <message>
      <source>Click the chip that should be the last of its heap.</source>
      <translation>单击应成为该堆最后一枚的筹码。</translation>
    </message>
    <message>
      <source>{player} to move; legal moves: {moves}, forbidden: {forbidden}.</source>
      <translation>轮到{player}走；合法着法 {moves} 个，禁手 {forbidden} 个。</translation>
    </message>
    <message>
      <source>{player} to move; legal moves: {moves}.</source>
      <translation>轮到{player}走；合法着法 {moves} 个。</translation>
    </message>
    <message>
      <source>Board to be set up</source>
      <translation>待摆设的棋盘</translation>
    </message>
    <message>
      <source>Add to this game</source>
      <translation>加入本局</translation>
    </message>
    <message>
      <source>Set it up after the move on the board, as a variation from which the game goes on</source>
      <translation>在棋盘上的这一手之后摆设此局面，作为一个变化从这里继续对局</translation>
    </message>
    <message>
      <source>Whose turn it is</source>
      <translation>轮到谁走棋</translation>
    </message>
    <message>
      <source>Clear</source>
      <translation>清空</translation>
    </message>
    <message>
      <source>Reset</source>
      <translation>恢复原样</translation>
    </message>
    <message>
      <source>Paste</source>
      <translation>粘贴</translation>
    </message>
    <message>
      <source>Take a diagram or moves from the clipboard</source>
      <translation>从剪贴板取局面图或着法</translation>
    </message>
    <message>
      <source>Copy</source>
      <translation>复制</translation>
    </message>
    <message>
      <source>Diagram or moves</source>
      <translation>局面图或着法</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>检查结果</translation>
    </message>
    <message>
      <source>{count} problems</source>
      <translation>{count} 个问题</translation>
    </message>
    <message>
      <source>No problem was found.</source>
      <translation>没有发现问题。</translation>
    </message>
    <message>
      <source>The game is over: a draw.</source>
      <translation>对局已结束：和棋。</translation>
    </message>
    <message>
      <source>Set up a position — {title}</source>
      <translation>摆设局面 — {title}</translation>
    </message>
    <message>
      <source>Open as a new game</source>
      <translation>作为新对局打开</translation>
    </message>
    <message>
      <source>From the stones</source>
      <translation>由棋子数推断</translation>
    </message>
    <message>
      <source>Heap {row}</source>
      <translation>第 {row} 堆</translation>
    </message>
    <message>
      <source>The game is over: {player} has won.</source>
      <translation>对局已结束：{player}获胜。</translation>
    </message>
    <message>
      <source>Diagram or moves · X {first}, O {second}</source>
      <translation>局面图或着法 · X 为{first}，O 为{second}</translation>
    </message>
    <message>
      <source>Result</source>
      <translation>对局结果</translation>
    </message>
    <message>
      <source>Event</source>
      <translation>赛事</translation>
    </message>
    <message>
      <source>Round</source>
      <translation>比赛轮次</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>日期</translation>
    </message>
    <message>
      <source>Place</source>
      <translation>地点</translation>
    </message>
    <message>
      <source>Name of the game</source>
      <translation>对局名称</translation>
    </message>
    <message>
      <source>Rules</source>
      <translation>比赛规则</translation>
    </message>
    <message>
      <source>Source</source>
      <translation>出处</translation>
    </message>
    <message>
      <source>Entered by</source>
      <translation>录入者</translation>
    </message>
    <message>
      <source>Comments by</source>
      <translation>评注者</translation>
    </message>
    <message>
      <source>Draw</source>
      <translation>和棋</translation>
    </message>
    <message>
      <source>About the game</source>
      <translation>对局说明</translation>
    </message>
    <message>
      <source>{players} wins</source>
      <translation>{players}胜</translation>
    </message>
    <message>
      <source>About this game — {title}</source>
      <translation>关于本局 — {title}</translation>
    </message>
    <message>
      <source>B+: {first} has won · W+: {second} has won · 0: a draw</source>
      <translation>B+：{first} 胜 · W+：{second} 胜 · 0：和棋</translation>
    </message>
    <message>
      <source>{result}, as it was played</source>
      <translation>{result}（按实战）</translation>
    </message>
    <message>
      <source>{count} moves were deleted. Undo{key} brings them back.</source>
      <translation>已删除 {count} 手。撤销{key}可恢复。</translation>
    </message>
    <message>
      <source>Write a comment here.</source>
      <translation>在此写注释。</translation>
    </message>
    <message>
      <source>Comment</source>
      <translation>注释</translation>
    </message>
    <message>
      <source>About this game…</source>
      <translation>关于本局…</translation>
    </message>
    <message>
      <source>Show this position</source>
      <translation>显示此局面</translation>
    </message>
    <message>
      <source>Move the &amp;variation up</source>
      <translation>变化上移(&amp;V)</translation>
    </message>
    <message>
      <source>Make it the main &amp;line</source>
      <translation>设为主线(&amp;L)</translation>
    </message>
    <message>
      <source>&amp;Delete from here on</source>
      <translation>从此处起删除(&amp;D)</translation>
    </message>
    <message>
      <source>{moves} moves</source>
      <translation>{moves} 手棋</translation>
    </message>
    <message>
      <source>Comment on the start</source>
      <translation>开局处的注释</translation>
    </message>
    <message>
      <source>No players, event or date recorded.</source>
      <translation>未记录棋手、赛事与日期。</translation>
    </message>
    <message>
      <source>Comment on {name}</source>
      <translation>{name} 的注释</translation>
    </message>
    <message>
      <source>variation {number} of {all}</source>
      <translation>第 {number} / {all} 个变化</translation>
    </message>
    <message>
      <source>Record</source>
      <translation>棋谱</translation>
    </message>
    <message>
      <source>Where it looks</source>
      <translation>它看向哪里</translation>
    </message>
    <message>
      <source>Who looks at it</source>
      <translation>谁在看它</translation>
    </message>
    <message>
      <source>How much each head takes in of each cell at the cell marked; all cells together are 1.</source>
      <translation>在标出的格子上，每个头从每个格子各取多少；所有格子之和为 1。</translation>
    </message>
    <message>
      <source>How much each head takes in of the cell marked at each cell; all cells together are 1 on average.</source>
      <translation>在每个格子上，每个头从标出的格子取多少；所有格子之和平均为 1。</translation>
    </message>
    <message>
      <source>{block}, {head}: from {cell} it looks at {cells}</source>
      <translation>{block}，{head}：从 {cell} 看向 {cells}</translation>
    </message>
    <message>
      <source>{block}, {head}: {cell} is looked at from {cells}</source>
      <translation>{block}，{head}：看向 {cell} 的有 {cells}</translation>
    </message>
    <message>
      <source>Point at a cell of the board; a click keeps it. What a head looks at from one cell adds up to 1. Colours go from 0 to the largest weight of each board, which stands above it: compare these, not the colours of two boards.</source>
      <translation>把指针放在棋盘的一个格子上；点击可固定。一个头从一个格子看出去的权重之和为 1。颜色从 0 到各棋盘自己的最大权重（写在棋盘上方）：请比较这些数，而不是两个棋盘的颜色。</translation>
    </message>
    <message>
      <source>Point at a cell of the board; a click keeps it. What a head looks at from one cell adds up to 1; the weights shown here are of one cell from all cells, together {sum}. Colours go from 0 to the largest weight of each board, which stands above it.</source>
      <translation>把指针放在棋盘的一个格子上；点击可固定。一个头从一个格子看出去的权重之和为 1；这里显示的是从所有格子看向这一格的权重，合计 {sum}。颜色从 0 到各棋盘自己的最大权重（写在棋盘上方）。</translation>
    </message>
    <message>
      <source>What the head looks at</source>
      <translation>这个头看向哪里</translation>
    </message>
    <message>
      <source>The attention of the net</source>
      <translation>网络的注意力</translation>
    </message>
    <message>
      <source>the larger the square, the more it looks there from {cell}</source>
      <translation>方块越大，从 {cell} 看向那里越多</translation>
    </message>
    <message>
      <source>the larger the square, the more {cell} is looked at from there</source>
      <translation>方块越大，从那里看向 {cell} 越多</translation>
    </message>
    <message>
      <source>mean of the heads</source>
      <translation>各头的平均</translation>
    </message>
    <message>
      <source>Attention, {block}, {head}</source>
      <translation>注意力，{block}，{head}</translation>
    </message>
    <message>
      <source>head {number}</source>
      <translation>第 {number} 个头</translation>
    </message>
    <message>
      <source>Mean</source>
      <translation>平均</translation>
    </message>
    <message>
      <source>Read by the net's own heads</source>
      <translation>由网络自身的输出头读取</translation>
    </message>
    <message>
      <source>Read through a fitted lens</source>
      <translation>通过拟合的透镜读取</translation>
    </message>
    <message>
      <source>The net's heads were trained with the last block alone: an early block may know more than they read.</source>
      <translation>网络的输出头只与最后一块一起训练：前面的块所知可能比它们读出的更多。</translation>
    </message>
    <message>
      <source>A straight map of each block's channels to the last one's, fitted to {fitted} positions of play: KL and agreement on {others} other positions stand in the tips of the boards.</source>
      <translation>把每块的通道线性映射到最后一块的通道，在 {fitted} 个对局局面上拟合；在另外 {others} 个局面上的 KL 与一致率见各小棋盘的提示。</translation>
    </message>
    <message>
      <source>{mover} is to move. {sentence}</source>
      <translation>轮到{mover}走。{sentence}</translation>
    </message>
    <message>
      <source>Until the lens is fitted, by the net's own heads: {mover} is to move. {sentence}</source>
      <translation>透镜拟合完成之前，用网络自己的输出头：轮到{mover}走。{sentence}</translation>
    </message>
    <message>
      <source>P in percent by move; V: the value for the side to move; KL: how far P lies from the net's answer, in nats, 0 for the same. The stem is what comes before the first block.</source>
      <translation>各着法的 P 以百分数表示；V：轮走方的价值；KL：P 离网络的答案有多远，单位奈特，0 表示相同。主干入口是第一块之前的部分。</translation>
    </message>
    <message>
      <source>How the blocks are read</source>
      <translation>如何读取各块</translation>
    </message>
    <message>
      <source>As if the net ended here</source>
      <translation>假如网络在此结束</translation>
    </message>
    <message>
      <source>Shows on the board what the net would want if it ended after this block; at the right end it is the net's own answer, and the board shows what it showed before.</source>
      <translation>在棋盘上显示假如网络在此块之后结束时会想下哪里；滑到最右端就是网络自己的答案，棋盘恢复原来的显示。</translation>
    </message>
    <message>
      <source>What each block wants</source>
      <translation>每一块想下哪里</translation>
    </message>
    <message>
      <source>as if the net ended after {block}, through a lens · {mover} · log</source>
      <translation>假如网络在{block}之后结束，通过透镜 · {mover} · 对数</translation>
    </message>
    <message>
      <source>as if the net ended after {block} · {mover} · log</source>
      <translation>假如网络在{block}之后结束 · {mover} · 对数</translation>
    </message>
    <message>
      <source>Net cut short</source>
      <translation>截短的网络</translation>
    </message>
    <message>
      <source>As if it ended here:</source>
      <translation>假如在此结束：</translation>
    </message>
    <message>
      <source>On {positions} positions of play: KL {kl} ({low} to {high}) from the net's answer, the same first move in {share} ({least} to {most})</source>
      <translation>在 {positions} 个对局局面上：与网络答案的 KL 为 {kl}（{low} 到 {high}），首选着法相同的占 {share}（{least} 到 {most}）</translation>
    </message>
    <message>
      <source>the whole net</source>
      <translation>整个网络</translation>
    </message>
    <message>
      <source>for {player}</source>
      <translation>以{player}为准</translation>
    </message>
    <message>
      <source>Fitting the lens…</source>
      <translation>正在拟合透镜……</translation>
    </message>
    <message>
      <source>Each picture: the mean of a channel over {positions} positions. {dead} of {channels} channels of this block give the same everywhere.</source>
      <translation>每张图是一个通道在 {positions} 个局面上的平均值。此块的 {channels} 个通道中有 {dead} 个处处给出相同的值。</translation>
    </message>
    <message>
      <source>Channel {channel} gives {value} everywhere: it says nothing.</source>
      <translation>通道 {channel} 处处给出 {value}：它什么也没有说。</translation>
    </message>
    <message>
      <source>Channel {channel}, above 0 in {share} of the cells: the position selected, and those where it is strongest, one place of each. A click on a cell takes its number apart.</source>
      <translation>通道 {channel}，在 {share} 的格子上大于 0：所选局面，以及它最强的那些局面，每个局面取一处。点击一个格子即可拆开那里的数。</translation>
    </message>
    <message>
      <source>{value} = the bias, what else is added, and {number} products of the last convolution; the largest are drawn. Together {total}.</source>
      <translation>{value} = 偏置、其他加数，以及最后一个卷积的 {number} 个乘积；图中画出最大的几个。合计 {total}。</translation>
    </message>
    <message>
      <source>{value}, as the sum is below 0: the bias, what else is added, and {number} products. Together {total}.</source>
      <translation>{value}，因为和小于 0：偏置、其他加数，以及 {number} 个乘积。合计 {total}。</translation>
    </message>
    <message>
      <source>The channels of the block</source>
      <translation>该块的通道</translation>
    </message>
    <message>
      <source>Where the channel is strong</source>
      <translation>该通道在何处强</translation>
    </message>
    <message>
      <source>The sum</source>
      <translation>各项之和</translation>
    </message>
    <message>
      <source>The channels of the net</source>
      <translation>网络的通道</translation>
    </message>
    <message>
      <source>the larger the square, the stronger the channel is at the cell</source>
      <translation>方块越大，该通道在这一格越强</translation>
    </message>
    <message>
      <source>{taken} positions read…</source>
      <translation>已读取 {taken} 个局面…</translation>
    </message>
    <message>
      <source>bias</source>
      <translation>偏置</translation>
    </message>
    <message>
      <source>goes round the block</source>
      <translation>绕过该块</translation>
    </message>
    <message>
      <source>the sum</source>
      <translation>总和</translation>
    </message>
    <message>
      <source>Channel {channel}, {block}</source>
      <translation>通道 {channel}，{block}</translation>
    </message>
    <message>
      <source>its cells are not those of the board</source>
      <translation>它的格子与棋盘的格子不一致</translation>
    </message>
    <message>
      <source>here {value}</source>
      <translation>此处 {value}</translation>
    </message>
    <message>
      <source>{number} other products</source>
      <translation>其余 {number} 个乘积</translation>
    </message>
    <message>
      <source>channel {channel} {place}</source>
      <translation>通道 {channel} {place}</translation>
    </message>
    <message>
      <source>bare board</source>
      <translation>仅棋盘</translation>
    </message>
    <message>
      <source>random weights</source>
      <translation>随机权重</translation>
    </message>
    <message>
      <source>shuffled labels</source>
      <translation>打乱的标签</translation>
    </message>
    <message>
      <source>not above its baselines for certain</source>
      <translation>不能确定高于其基线</translation>
    </message>
    <message>
      <source>{value} ({low} to {high})</source>
      <translation>{value}（{low} 到 {high}）</translation>
    </message>
    <message>
      <source>too few positions have it, or have it not</source>
      <translation>有它或没有它的局面太少</translation>
    </message>
    <message>
      <source>above the best of them by {difference}</source>
      <translation>比其中最好的高 {difference}</translation>
    </message>
    <message>
      <source>too few</source>
      <translation>太少</translation>
    </message>
    <message>
      <source>Some thousand positions are played, half of them at random and half by the net; a line is fitted from each block to each concept and judged by games it has not seen. It takes a minute or more, beside the search, and is kept.</source>
      <translation>先下出数千个局面，一半随机，一半由网络来下；从每一块到每个概念拟合一条直线，并用它没见过的对局来评判。这需要一分钟或更久，与搜索同时进行，结果会保存下来。</translation>
    </message>
    <message>
      <source>At most some thousand of the positions chosen are taken; a line is fitted from each block to each concept and judged by games it has not seen. It takes a minute or more, beside the search.</source>
      <translation>从所选局面中至多取几千个；从每一块到每个概念拟合一条直线，并用它没见过的对局来评判。与搜索并行，需要一分钟或更久。</translation>
    </message>
    <message>
      <source>Some thousand positions are played first, half of them at random and half by the net; then the blocks are read…</source>
      <translation>先下出数千个局面，一半随机，一半按网络着法；然后读取各块…</translation>
    </message>
    <message>
      <source>The net is asked about the positions chosen; then its blocks are read…</source>
      <translation>先就所选局面询问网络，然后读取其各块…</translation>
    </message>
    <message>
      <source>yes, read as {reading} on a scale from 0, no, to 1, yes</source>
      <translation>是，读作 {reading}（0 为否，1 为是）</translation>
    </message>
    <message>
      <source>no, read as {reading} on a scale from 0, no, to 1, yes</source>
      <translation>否，读作 {reading}（0 为否，1 为是）</translation>
    </message>
    <message>
      <source>A click opens it on the board.</source>
      <translation>点击可在棋盘上打开。</translation>
    </message>
    <message>
      <source>Cell</source>
      <translation>格子</translation>
    </message>
    <message>
      <source>Where they are furthest apart; empty for a concept of the whole board.</source>
      <translation>两者相差最大之处；整个棋盘的概念则为空。</translation>
    </message>
    <message>
      <source>Concept</source>
      <translation>概念</translation>
    </message>
    <message>
      <source>What is true there, for the side to move; 1 for yes, 0 for no.</source>
      <translation>那里的真实情况，以轮走方为准；1 为是，0 为否。</translation>
    </message>
    <message>
      <source>Read</source>
      <translation>读出</translation>
    </message>
    <message>
      <source>What the line reads from the block there: near 1 for yes, near 0 for no; a line may also give more or less.</source>
      <translation>直线从该块在那里读出的数：接近 1 为是，接近 0 为否；直线也可能给出更大或更小的数。</translation>
    </message>
    <message>
      <source>Add a selection…</source>
      <translation>添加选出的局面…</translation>
    </message>
    <message>
      <source>Positions of your own as a concept: the mistakes of an audit, the ends of kept games, or a text file with the moves to a position on each line. The net is examined anew.</source>
      <translation>把你自己的局面当作概念：一次审查中的错误、保存的对局的终点，或每行写着通向一个局面的着法的文本文件。网络会重新检查。</translation>
    </message>
    <message>
      <source>Concepts by block</source>
      <translation>各块中的概念</translation>
    </message>
    <message>
      <source>What the block reads of the position selected</source>
      <translation>该块对所选局面读出的内容</translation>
    </message>
    <message>
      <source>Where the block and the concept disagree</source>
      <translation>该块与概念不一致之处</translation>
    </message>
    <message>
      <source>Examine the net</source>
      <translation>考察网络</translation>
    </message>
    <message>
      <source>Pushed towards it in this block, the net wants the move more in {share} of positions; {outdone} of pushes by shuffled labels do so less often.</source>
      <translation>在这一块朝它推动后，网络在 {share} 的局面上更想下该着；按打乱的标签推动，{outdone} 不及这样频繁。</translation>
    </message>
    <message>
      <source>Where there is such a move a search chooses it in {shares} simulations.</source>
      <translation>有这样的着法时，搜索选择它的比例：{shares} 次模拟。</translation>
    </message>
    <message>
      <source>of the whole board</source>
      <translation>针对整个棋盘</translation>
    </message>
    <message>
      <source>Audits, games and lists of positions ({patterns});;All files (*)</source>
      <translation>审查、对局和局面列表 ({patterns});;所有文件 (*)</translation>
    </message>
    <message>
      <source>Bars: how well a line tells the concept from a block; from 0.5, a guess, to 1 for yes or no (AUC), else from 0 to 1 (R²); grey: {grey}. Baselines:</source>
      <translation>条形：直线从一块中辨别概念的好坏；是非概念从 0.5（猜测）到 1（AUC），其余从 0 到 1（R²）；灰色：{grey}。基线：</translation>
    </message>
    <message>
      <source>not known of this position</source>
      <translation>在这个局面上未知</translation>
    </message>
    <message>
      <source>{label}, read as {reading}</source>
      <translation>{label}，读作 {reading}</translation>
    </message>
    <message>
      <source>{share} after {count}</source>
      <translation>{count} 次后 {share}</translation>
    </message>
    <message>
      <source>Examining: {share}</source>
      <translation>正在考察：{share}</translation>
    </message>
    <message>
      <source>Judged by {judged} of {count} positions, of other games than the lines are fitted to.</source>
      <translation>以 {count} 个局面中的 {judged} 个评判，它们来自未用于拟合的其他对局。</translation>
    </message>
    <message>
      <source>{move} {share}, as the net</source>
      <translation>{move} {share}，与网络相同</translation>
    </message>
    <message>
      <source>{move} {share}</source>
      <translation>{move} {share}</translation>
    </message>
    <message>
      <source>A click shows its operations</source>
      <translation>点击可显示其中的运算</translation>
    </message>
    <message>
      <source>The graph of the net</source>
      <translation>网络的计算图</translation>
    </message>
    <message>
      <source>one number</source>
      <translation>一个数</translation>
    </message>
    <message>
      <source>values from {least} to {most}, mean {mean}, {zeros} of them 0</source>
      <translation>数值从 {least} 到 {most}，平均 {mean}，其中 {zeros} 为 0</translation>
    </message>
    <message>
      <source>mean {mean} · {zeros} zeros</source>
      <translation>平均 {mean} · {zeros} 为零</translation>
    </message>
    <message>
      <source>mean {mean}</source>
      <translation>平均 {mean}</translation>
    </message>
    <message>
      <source>multiplications that are not counted</source>
      <translation>未计数的乘法</translation>
    </message>
    <message>
      <source>input</source>
      <translation>输入</translation>
    </message>
    <message>
      <source>gives {tensor} {shape}</source>
      <translation>输出 {tensor} {shape}</translation>
    </message>
    <message>
      <source>{parameters} parameters, {multiplications} multiplications, {share} of all</source>
      <translation>{parameters} 个参数，{multiplications} 次乘法，占全部的 {share}</translation>
    </message>
    <message>
      <source>is given {tensors}</source>
      <translation>输入为 {tensors}</translation>
    </message>
    <message>
      <source>an input of the file, {shape}</source>
      <translation>文件的一个输入，{shape}</translation>
    </message>
    <message>
      <source>{parameters} parameters, {multiplications} multiplications for a position</source>
      <translation>{parameters} 个参数，每个局面 {multiplications} 次乘法</translation>
    </message>
    <message>
      <source>{parameters} parameters, at least {multiplications} multiplications for a position</source>
      <translation>{parameters} 个参数，每个局面至少 {multiplications} 次乘法</translation>
    </message>
    <message>
      <source>Close all</source>
      <translation>全部收起</translation>
    </message>
    <message>
      <source>Open all</source>
      <translation>全部展开</translation>
    </message>
    <message>
      <source>The stronger a box is coloured, the more of the multiplications it makes. Values are those of the position selected.</source>
      <translation>方框颜色越深，其中的乘法越多。数值属于所选局面。</translation>
    </message>
    <message>
      <source>The heads of each block</source>
      <translation>每一块的注意力头</translation>
    </message>
    <message>
      <source>The last block of up to 20 kept nets of this run is asked for each concept, in the same positions, and a search with each net for its moves. It takes some seconds to a minute for each net, beside the search, and goes on where it was stopped.</source>
      <translation>对这次训练保存的至多 20 个网络，在同样的局面中检查最后一块能读出哪些概念，并用每个网络的搜索检查概念的着法。每个网络需要几秒到一分钟，与搜索同时进行；停止后可从停下处继续。</translation>
    </message>
    <message>
      <source>Colour: how far the last block tells the concept above its baselines; grey: {grey}. Ring: from here on a search of {count} simulations knows it, choosing a move of the concept in more than half of the positions that have one; dot: so does the net alone.</source>
      <translation>颜色：最后一块读出概念的程度高出基线多少；灰色：{grey}。圆环：从这里起，{count} 次模拟的搜索掌握了它，即在有此类着法的局面中超过一半选择了它；圆点：单凭网络也做到了。</translation>
    </message>
    <message>
      <source>Concepts by iteration</source>
      <translation>各次迭代中的概念</translation>
    </message>
    <message>
      <source>Examine the nets</source>
      <translation>检查这些网络</translation>
    </message>
    <message>
      <source>A search of {count} simulations knows it first at {search}, the net alone at {alone}.</source>
      <translation>{count} 次模拟的搜索最早在{search}掌握它，单凭网络则在{alone}。</translation>
    </message>
    <message>
      <source>A search of {count} simulations knows it first at {search}; the net alone does not.</source>
      <translation>{count} 次模拟的搜索最早在{search}掌握它；单凭网络则没有。</translation>
    </message>
    <message>
      <source>the net on the board belongs to no training run that keeps two nets or more; open one of a run</source>
      <translation>棋盘上的网络不属于任何保存了至少两个网络的训练；请打开某次训练的网络</translation>
    </message>
    <message>
      <source>Some thousand positions are played first, half of them at random and half by the last net…</source>
      <translation>先下出数千个局面，一半随机，一半按最后的网络着法…</translation>
    </message>
    <message>
      <source>Neither a search of {count} simulations nor the net alone knows it.</source>
      <translation>{count} 次模拟的搜索和单凭网络都没有掌握它。</translation>
    </message>
    <message>
      <source>{run}: {count} nets, judged by {judged} of {positions} positions, the same for all.</source>
      <translation>{run}：{count} 个网络，由 {positions} 个局面中的 {judged} 个评判，所有网络相同。</translation>
    </message>
    <message>
      <source>Coloured by V</source>
      <translation>按 V 着色</translation>
    </message>
    <message>
      <source>Coloured by exact value or result</source>
      <translation>按精确值或结果着色</translation>
    </message>
    <message>
      <source>Coloured by mistakes of the net</source>
      <translation>按网络的失误着色</translation>
    </message>
    <message>
      <source>Coloured by game</source>
      <translation>按棋局着色</translation>
    </message>
    <message>
      <source>Coloured by ply</source>
      <translation>按手数着色</translation>
    </message>
    <message>
      <source>not known</source>
      <translation>未知</translation>
    </message>
    <message>
      <source>known from an audit</source>
      <translation>由审查得知</translation>
    </message>
    <message>
      <source>V of the net for the side to move</source>
      <translation>网络的 V，对轮走方而言</translation>
    </message>
    <message>
      <source>plies played before</source>
      <translation>之前已走的手数</translation>
    </message>
    <message>
      <source>Points of one game have one colour; several games may share it.</source>
      <translation>同一局的点颜色相同；不同的局可能共用一种颜色。</translation>
    </message>
    <message>
      <source>for the side to move: exact, else the result of its game</source>
      <translation>对轮走方而言：精确值，否则为所在棋局的结果</translation>
    </message>
    <message>
      <source>a mistake of the net</source>
      <translation>网络的失误</translation>
    </message>
    <message>
      <source>no mistake of the net</source>
      <translation>不是网络的失误</translation>
    </message>
    <message>
      <source>{positions} positions; the two axes show {share} of what differs between them in this block.</source>
      <translation>{positions} 个局面；两条轴显示了它们在此块中差异的 {share}。</translation>
    </message>
    <message>
      <source>Similar by the block: distance, and V</source>
      <translation>按此块相似：距离与 V</translation>
    </message>
    <message>
      <source>Most cells equal, without the net: share, and V</source>
      <translation>不用网络，相同格子最多：份额与 V</translation>
    </message>
    <message>
      <source>One position of each game, the nearest first. Distance: 1 less the cosine between the block's outputs less their mean. Mirrored and turned positions count as one. A click opens a position.</source>
      <translation>每局取一个局面，最近的在前。距离：1 减去该块输出（减去平均值后）之间的余弦。镜像和旋转的局面视为同一个。点击可打开局面。</translation>
    </message>
    <message>
      <source>Mean difference of V</source>
      <translation>V 的平均差</translation>
    </message>
    <message>
      <source>Mean difference of the exact value</source>
      <translation>精确值的平均差</translation>
    </message>
    <message>
      <source>Mean difference of the result</source>
      <translation>结果的平均差</translation>
    </message>
    <message>
      <source>{what} from the nearest position of another game: by the block {net}, by equal cells {board}; from any {random}.</source>
      <translation>{what}（与另一局中最近的局面相比）：按此块 {net}，按相同格子 {board}；与任意局面相比 {random}。</translation>
    </message>
    <message>
      <source>V is computed from these very outputs: for a sounder test take positions with exact values, those of an audit.</source>
      <translation>V 正是由这些输出算出的：要更可靠的检验，请用有精确值的局面，即审查中的局面。</translation>
    </message>
    <message>
      <source>{mover} to move, ply {ply}
V {value}</source>
      <translation>轮到{mover}走，第 {ply} 手
V {value}</translation>
    </message>
    <message>
      <source>The block</source>
      <translation>所看的块</translation>
    </message>
    <message>
      <source>What the colours stand for</source>
      <translation>颜色的含义</translation>
    </message>
    <message>
      <source>The map of positions</source>
      <translation>局面地图</translation>
    </message>
    <message>
      <source>Positions similar by the block</source>
      <translation>按此块相似的局面</translation>
    </message>
    <message>
      <source>Positions with equal cells</source>
      <translation>格子相同的局面</translation>
    </message>
    <message>
      <source>The map and the similar positions</source>
      <translation>地图与相似的局面</translation>
    </message>
    <message>
      <source>{words}
distance {distance}, equal cells {share}</source>
      <translation>{words}
距离 {distance}，相同格子 {share}</translation>
    </message>
    <message>
      <source>exact value {value}</source>
      <translation>精确值 {value}</translation>
    </message>
    <message>
      <source>result of its game {value}</source>
      <translation>所在棋局的结果 {value}</translation>
    </message>
    <message>
      <source>axis 1 → {share}</source>
      <translation>轴 1 → {share}</translation>
    </message>
    <message>
      <source>axis 2 ↑ {share}</source>
      <translation>轴 2 ↑ {share}</translation>
    </message>
    <message>
      <source>{figures}
ringed on the map</source>
      <translation>{figures}
在地图上以圆环标出</translation>
    </message>
    <message>
      <source>{taken} of {every} positions read…</source>
      <translation>已读取 {every} 个局面中的 {taken} 个…</translation>
    </message>
    <message>
      <source>Reading the net…</source>
      <translation>正在读取网络……</translation>
    </message>
    <message>
      <source>On the board</source>
      <translation>显示在棋盘上</translation>
    </message>
    <message>
      <source>The board shows what this part shows, cell by cell; unchecked, what it showed before.</source>
      <translation>棋盘逐格显示这一部分所显示的内容；取消勾选，则恢复原来的显示。</translation>
    </message>
    <message>
      <source>the larger the square, the surer the block · rings: where it holds</source>
      <translation>方块越大，该块越有把握 · 圆环：概念成立之处</translation>
    </message>
    <message>
      <source>{cell}: reads {reading}, and it is {label}</source>
      <translation>{cell}：读出 {reading}，实为 {label}</translation>
    </message>
    <message>
      <source>Line of the net</source>
      <translation>网络的变化</translation>
    </message>
    <message>
      <source>Line of the search</source>
      <translation>搜索的变化</translation>
    </message>
    <message>
      <source>The line that the net plays alone, by its most probable moves.</source>
      <translation>网络不经搜索、按最可能的着法自己下出的变化。</translation>
    </message>
    <message>
      <source>The principal variation of the search, where the position on the board is selected; else that of the net.</source>
      <translation>所选为棋盘上的局面时，是搜索的主要变化；否则是网络的变化。</translation>
    </message>
    <message>
      <source>A number is coloured by the first block in which the choice of the first move depends on its square; a hollow one does not matter to the choice, so far as can be measured; a dashed one could not be examined. Nine nets with the same weights in random order show less: of a net that has learnt nothing, one ply in ten is coloured.</source>
      <translation>数字的颜色表示第一着的选择从哪一块开始依赖它所在的格子；空心的，就所能测量的而言与选择无关；虚线的无法检验。九个权重打乱顺序的网络显示得更少：什么也没学到的网络，十手中也会有一手被着色。</translation>
    </message>
    <message>
      <source>Ply {ply}, {move}: how much the choice of {first} changes when one square of one block is as in positions where this ply cannot be played or has lost its point, in nats, the mean of {count}. Behind each block: the number at the ply's square / the threshold, which lies above 95 % of the squares that cannot matter. At most {strength} times the threshold.</source>
      <translation>第 {ply} 手 {move}：把某一块的某一格换成这一手下不了或失去意义的局面里的数时，{first} 的选择改变多少（奈特，{count} 个局面的平均）。每块后面：该手所在格的数 / 阈值，它高于 95 % 不可能有影响的格子。最多为阈值的 {strength} 倍。</translation>
    </message>
    <message>
      <source>With weights in random order, up to {chance} times, in {rivals} nets.</source>
      <translation>权重次序打乱时最多为 {chance} 倍（{rivals} 个网络）。</translation>
    </message>
    <message>
      <source>It is not above the threshold, and so it was not compared with weights in random order.</source>
      <translation>它不高于阈值，因此没有与次序打乱的权重比较。</translation>
    </message>
    <message>
      <source>The board is large: of the squares that cannot matter {drawn}, drawn by lot, give the threshold for each ply, and nets in random order are compared until one shows as much.</source>
      <translation>棋盘很大：每一手由抽签取出的 {drawn} 个不可能有影响的格子定出阈值；与次序打乱的网络比较，直到其中一个显示同样大的影响为止。</translation>
    </message>
    <message>
      <source>The other squares are being measured…</source>
      <translation>其余的格子正在测量…</translation>
    </message>
    <message>
      <source>Ply {ply}, {move}: no position was found in which it cannot be played or has no point.</source>
      <translation>第 {ply} 手 {move}：没有找到它下不了或失去意义的局面。</translation>
    </message>
    <message>
      <source>The line on the board</source>
      <translation>棋盘上的变化</translation>
    </message>
    <message>
      <source>The colours of the blocks</source>
      <translation>各块的颜色</translation>
    </message>
    <message>
      <source>The effect of each square of each block</source>
      <translation>每块每格的影响</translation>
    </message>
    <message>
      <source>Does it see the reply?</source>
      <translation>它看见应手了吗？</translation>
    </message>
    <message>
      <source>Following the line…</source>
      <translation>正在跟踪这条变化…</translation>
    </message>
    <message>
      <source>no block</source>
      <translation>没有哪一块</translation>
    </message>
    <message>
      <source>Ply {ply}, {move}: {block}</source>
      <translation>第 {ply} 手，{move}：{block}</translation>
    </message>
    <message>
      <source>the first block in which {first} depends on the square · hollow: in none</source>
      <translation>{first} 的选择从哪一块起取决于该格 · 空心：没有</translation>
    </message>
    <message>
      <source>Stones that matter</source>
      <translation>重要的棋子</translation>
    </message>
    <message>
      <source>being tested…</source>
      <translation>正在检验……</translation>
    </message>
    <message>
      <source>Games played for it</source>
      <translation>为此对弈的棋局</translation>
    </message>
    <message>
      <source>An audit…</source>
      <translation>一次审查…</translation>
    </message>
    <message>
      <source>Half of them at random, half by the policy of the net.</source>
      <translation>一半随机，一半按网络的策略。</translation>
    </message>
    <message>
      <source>Positions:</source>
      <translation>局面：</translation>
    </message>
    <message>
      <source>Audits ({patterns});;All files (*)</source>
      <translation>审查 ({patterns});;所有文件 (*)</translation>
    </message>
    <message>
      <source>Games ({patterns});;All files (*)</source>
      <translation>棋局 ({patterns});;所有文件 (*)</translation>
    </message>
    <message>
      <source>The move</source>
      <translation>所选的着法</translation>
    </message>
    <message>
      <source>The value</source>
      <translation>局面的价值</translation>
    </message>
    <message>
      <source>How much the net's move depends on each stone, by SARFA.</source>
      <translation>网络的着法对每个子的依赖程度（SARFA）。</translation>
    </message>
    <message>
      <source>By how much V falls, or rises, without each stone, for the side to move.</source>
      <translation>没有该子时 V 下降或上升多少，以轮走方为准。</translation>
    </message>
    <message>
      <source>The move needs it</source>
      <translation>这一手依赖它</translation>
    </message>
    <message>
      <source>The move gains without it</source>
      <translation>没有它这一手更受青睐</translation>
    </message>
    <message>
      <source>V falls without it</source>
      <translation>没有它 V 下降</translation>
    </message>
    <message>
      <source>V rises without it</source>
      <translation>没有它 V 上升</translation>
    </message>
    <message>
      <source>needs the stone</source>
      <translation>需要该子</translation>
    </message>
    <message>
      <source>gains without it</source>
      <translation>没有它更好</translation>
    </message>
    <message>
      <source>falls without it</source>
      <translation>没有它下降</translation>
    </message>
    <message>
      <source>rises without it</source>
      <translation>没有它上升</translation>
    </message>
    <message>
      <source>The exact answer needs it</source>
      <translation>精确答案依赖它</translation>
    </message>
    <message>
      <source>{cell}: SARFA {sarfa}, V changes by {value} without it; the exact answer differs in {truth} of {count} tests</source>
      <translation>{cell}：SARFA {sarfa}，没有它时 V 变化 {value}；{count} 次检验中有 {truth} 精确答案不同</translation>
    </message>
    <message>
      <source>The outer ring is drawn as far as the net's move, by SARFA, or its V depends on the stone; the inner one in the share of the same tests in which the exact answer differs. No ring: the rules allow no test of the stone.</source>
      <translation>外环的长度是网络的着法（SARFA）或它的 V 对该子的依赖程度；内环是同一组检验中精确答案改变的比例。没有圆环：规则不允许对该子做任何检验。</translation>
    </message>
    <message>
      <source>{cell}: the rules allow no test of this stone</source>
      <translation>{cell}：规则不允许对这枚棋子作任何检验</translation>
    </message>
    <message>
      <source>The move ringed in blue is the net's. Each stone is tested by positions without it, or where it has changed places with a stone of the other player, each reached by legal moves.</source>
      <translation>蓝圈标出网络的着法。检验每枚棋子所用的局面里，它不在棋盘上，或与对方的一枚棋子交换了位置，且都由合法着法得到。</translation>
    </message>
    <message>
      <source>The move ringed in blue is the net's. Each stone is tested by a position in which its player passed instead of placing it, reached by legal moves.</source>
      <translation>蓝圈标出网络的着法。检验每枚棋子所用的局面里，它的一方当时弃权而没有落下它，且由合法着法得到。</translation>
    </message>
    <message>
      <source>The thicker its ring, the more the net's P of this very move falls (first board) or rises (second) against the other moves: SARFA from 0 to 1, the median of its tests.</source>
      <translation>圈越粗，网络给这一着的 P 相对其他着法下降（第一个棋盘）或上升（第二个）得越多：SARFA，0 到 1，取各次检验的中位数。</translation>
    </message>
    <message>
      <source>The thicker its ring, the more V falls (first board) or rises (second) for the side to move: the median of its tests, from 0 to 1.</source>
      <translation>圈越粗，轮走方的 V 下降（第一个棋盘）或上升（第二个）得越多：取各次检验的中位数，0 到 1。</translation>
    </message>
    <message>
      <source>Third board: the share of the tests with an exact answer in which the value is another, or the move becomes right or wrong.</source>
      <translation>第三个棋盘：在有精确答案的检验中，价值改变、或该着法由对变错或由错变对的比例。</translation>
    </message>
    <message>
      <source>the net's move {move}</source>
      <translation>网络的着法 {move}</translation>
    </message>
    <message>
      <source>V of the net</source>
      <translation>网络的 V</translation>
    </message>
    <message>
      <source>{text} · inner, white: the exact answer</source>
      <translation>{text} · 白色内环：精确答案</translation>
    </message>
    <message>
      <source>C = {c:.1f}, ΣN = {total}: Q + √(C · ln ΣN / N)</source>
      <translation>C = {c:.1f}，ΣN = {total}：Q + √(C · ln ΣN / N)</translation>
    </message>
    <message>
      <source>{searches} searches of {simulations} simulations: the move played</source>
      <translation>{searches} 次搜索，每次 {simulations} 次模拟：所走的着法</translation>
    </message>
    <message>
      <source>Draw {count}: α = {alpha:g}, ε = {epsilon:g}; line: P before</source>
      <translation>第 {count} 次抽取：α = {alpha:g}，ε = {epsilon:g}；竖线：原来的 P</translation>
    </message>
    <message>
      <source>Chance at τ = {tau:.1f}; line: share of the visits</source>
      <translation>τ = {tau:.1f} 时的概率；竖线：访问比例</translation>
    </message>
    <message>
      <source>C = {c:.1f}, ΣN = {total}: 1 − Q + √(C · ln ΣN / N)</source>
      <translation>C = {c:.1f}，ΣN = {total}：1 − Q + √(C · ln ΣN / N)</translation>
    </message>
    <message>
      <source>Mean + bonus; line: the true chance</source>
      <translation>平均值 + 奖励；竖线：真实概率</translation>
    </message>
    <message>
      <source>Estimate after so many points</source>
      <translation>随点数变化的估计</translation>
    </message>
    <message>
      <source>Regret after so many plays</source>
      <translation>玩这么多次之后的遗憾值</translation>
    </message>
    <message>
      <source>UCB1</source>
      <translation>UCB1</translation>
    </message>
    <message>
      <source>at random</source>
      <translation>随机选择</translation>
    </message>
    <message>
      <source>{runs} runs · coloured: within {within:.2%} of π</source>
      <translation>{runs} 次试验 · 有颜色：与 π 相差不到 {within:.2%}</translation>
    </message>
    <message>
      <source>Progress</source>
      <translation>进度</translation>
    </message>
    <message>
      <source>Lessons</source>
      <translation>课程</translation>
    </message>
    <message>
      <source>Step back</source>
      <translation>上一步</translation>
    </message>
    <message>
      <source>Do it for me</source>
      <translation>替我做</translation>
    </message>
    <message>
      <source>Next step</source>
      <translation>下一步</translation>
    </message>
    <message>
      <source>Text of the step</source>
      <translation>本步文字</translation>
    </message>
    <message>
      <source>All lessons</source>
      <translation>全部课程</translation>
    </message>
    <message>
      <source>Each lesson takes about ten minutes and waits for you in the real window. Leave at any time.</source>
      <translation>每课约十分钟，在真实的窗口里进行并等你操作。随时可以离开。</translation>
    </message>
    <message>
      <source>Open a lesson file…</source>
      <translation>打开课程文件…</translation>
    </message>
    <message>
      <source>✓ done</source>
      <translation>✓ 已完成</translation>
    </message>
    <message>
      <source>step {step} of {steps}</source>
      <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
      <source>+1 simulation</source>
      <translation>+1 次模拟</translation>
    </message>
    <message>
      <source>+{more} simulations</source>
      <translation>+{more} 次模拟</translation>
    </message>
    <message>
      <source>about {minutes} minutes</source>
      <translation>约 {minutes} 分钟</translation>
    </message>
    <message>
      <source>random points</source>
      <translation>个随机点</translation>
    </message>
    <message>
      <source>runs</source>
      <translation>次试验</translation>
    </message>
    <message>
      <source>plays</source>
      <translation>次</translation>
    </message>
    <message>
      <source>searches</source>
      <translation>次搜索</translation>
    </message>
    <message>
      <source>random draws</source>
      <translation>次抽取</translation>
    </message>
    <message>
      <source>Picture of the experiment</source>
      <translation>实验的图</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>运行</translation>
    </message>
    <message>
      <source>Constant C</source>
      <translation>常数 C</translation>
    </message>
    <message>
      <source>Temperature τ</source>
      <translation>温度 τ</translation>
    </message>
    <message>
      <source>{more} more</source>
      <translation>再做 {more} 次</translation>
    </message>
    <message>
      <source>Your answer</source>
      <translation>你的回答</translation>
    </message>
    <message>
      <source>Check</source>
      <translation>检查</translation>
    </message>
    <message>
      <source>First</source>
      <translation>先手</translation>
    </message>
    <message>
      <source>Second</source>
      <translation>后手</translation>
    </message>
    <message>
      <source>The other player.</source>
      <translation>另一方。</translation>
    </message>
    <message>
      <source>As the file says.</source>
      <translation>按文件所写。</translation>
    </message>
    <message>
      <source>Board game</source>
      <translation>棋种</translation>
    </message>
    <message>
      <source>Rules and board, or why the game cannot be opened.</source>
      <translation>规则和棋盘，或不能打开的原因。</translation>
    </message>
    <message>
      <source>Length</source>
      <translation>总手数</translation>
    </message>
    <message>
      <source>File</source>
      <translation>文件</translation>
    </message>
    <message>
      <source>Games of a folder or an archive</source>
      <translation>文件夹或压缩包中的棋局</translation>
    </message>
    <message>
      <source>Folder…</source>
      <translation>文件夹…</translation>
    </message>
    <message>
      <source>Archive or file…</source>
      <translation>压缩包或文件…</translation>
    </message>
    <message>
      <source>Players, event, date, file</source>
      <translation>棋手、赛事、日期、文件</translation>
    </message>
    <message>
      <source>Words to search for</source>
      <translation>要查找的文字</translation>
    </message>
    <message>
      <source>Find this position</source>
      <translation>查找此局面</translation>
    </message>
    <message>
      <source>Turned and mirrored, too</source>
      <translation>含旋转和镜像</translation>
    </message>
    <message>
      <source>All games</source>
      <translation>全部棋局</translation>
    </message>
    <message>
      <source>Next moves</source>
      <translation>下一着</translation>
    </message>
    <message>
      <source>Which moves followed the position on the board in these games, how often, and who won.</source>
      <translation>在这些棋局中，棋盘上的局面之后下了哪些着法、多少次、谁赢了。</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>取消</translation>
    </message>
    <message>
      <source>{shown} of {every} games in {place}</source>
      <translation>{place} 中 {every} 局里的 {shown} 局</translation>
    </message>
    <message>
      <source>List the games of a folder</source>
      <translation>列出文件夹中的棋局</translation>
    </message>
    <message>
      <source>List the games of an archive or file</source>
      <translation>列出压缩包或文件中的棋局</translation>
    </message>
    <message>
      <source>Archives and files of games ({patterns});;All files (*)</source>
      <translation>压缩包和棋局文件 ({patterns});;所有文件 (*)</translation>
    </message>
    <message>
      <source>The games of a folder, of an archive or of a file of many games are listed here.</source>
      <translation>这里列出文件夹、压缩包或多局文件中的棋局。</translation>
    </message>
    <message>
      <source>No listed game has this position.</source>
      <translation>列表中没有棋局出现此局面。</translation>
    </message>
    <message>
      <source>{player} wins</source>
      <translation>{player}获胜</translation>
    </message>
    <message>
      <source>List games first: they are compared with the position on the board.</source>
      <translation>请先列出棋局：它们会与棋盘上的局面比较。</translation>
    </message>
    <message>
      <source>Indexing {count} games by their positions…</source>
      <translation>正在按局面为 {count} 局棋建立索引…</translation>
    </message>
    <message>
      <source>{games} of {every} games have this position, {ended} end here</source>
      <translation>{every} 局中有 {games} 局出现此局面，{ended} 局到此为止</translation>
    </message>
    <message>
      <source>the first {plies} moves of each game are compared</source>
      <translation>每局只比较前 {plies} 手</translation>
    </message>
    <message>
      <source>Move</source>
      <translation>着法名</translation>
    </message>
    <message>
      <source>A click plays the move. Moves that a symmetry of the position carries into one another count as one.</source>
      <translation>点击即落子。局面的对称把彼此对应的着法算作一手。</translation>
    </message>
    <message>
      <source>Games</source>
      <translation>对局</translation>
    </message>
    <message>
      <source>The games in which the move followed.</source>
      <translation>接着下了这一手的棋局数。</translation>
    </message>
    <message>
      <source>Share</source>
      <translation>占比</translation>
    </message>
    <message>
      <source>Share of the games that go on from here.</source>
      <translation>在从此继续的棋局中所占的比例。</translation>
    </message>
    <message>
      <source>First wins</source>
      <translation>先手胜</translation>
    </message>
    <message>
      <source>Games that the first player won, as a share of those whose file says who did.</source>
      <translation>先手获胜的棋局，占文件写明胜负者的比例。</translation>
    </message>
    <message>
      <source>Draws</source>
      <translation>和局数</translation>
    </message>
    <message>
      <source>Drawn games, as a share of those whose file gives a result.</source>
      <translation>和棋占文件写明结果者的比例。</translation>
    </message>
    <message>
      <source>Second wins</source>
      <translation>后手胜</translation>
    </message>
    <message>
      <source>Games that the second player won, as a share of those whose file says who did.</source>
      <translation>后手获胜的棋局，占文件写明胜负者的比例。</translation>
    </message>
    <message>
      <source>The moves that followed</source>
      <translation>接下来的着法</translation>
    </message>
    <message>
      <source>The board shows how often each move followed; unchecked, what it showed before.</source>
      <translation>棋盘显示每一手接着下了多少次；取消勾选则恢复原来的显示。</translation>
    </message>
    <message>
      <source>how often each move followed, in {games} games</source>
      <translation>{games} 局中每一手接着下的比例</translation>
    </message>
    <message>
      <source>Name</source>
      <translation>名称</translation>
    </message>
    <message>
      <source>Bold: the tree shown. A dot: it is kept in memory before the others.</source>
      <translation>粗体：正在显示的树。圆点：优先留在内存中。</translation>
    </message>
    <message>
      <source>Moves</source>
      <translation>着法</translation>
    </message>
    <message>
      <source>Simulations</source>
      <translation>模拟次数</translation>
    </message>
    <message>
      <source>Nodes</source>
      <translation>节点数</translation>
    </message>
    <message>
      <source>Memory</source>
      <translation>内存</translation>
    </message>
    <message>
      <source>The memory that the tree takes, on disk what it takes when it is shown again.</source>
      <translation>树占用的内存；在磁盘上时，为再次显示时所需的内存。</translation>
    </message>
    <message>
      <source>Where</source>
      <translation>位置</translation>
    </message>
    <message>
      <source>Where the tree is.</source>
      <translation>树保存在哪里。</translation>
    </message>
    <message>
      <source>Open games</source>
      <translation>打开的对局</translation>
    </message>
    <message>
      <source>Keep this tree, go on in a copy</source>
      <translation>保留这棵树，在副本中继续</translation>
    </message>
    <message>
      <source>Kept trees: {memory} of {most} in memory, {on_disk} on disk</source>
      <translation>保留的树：内存 {memory}（上限 {most}），磁盘上 {on_disk} 棵</translation>
    </message>
    <message>
      <source>{loser} has lost on time: {winner} wins.</source>
      <translation>{loser}超时：{winner}胜。</translation>
    </message>
    <message>
      <source>{loser} resigned: {winner} wins.</source>
      <translation>{loser}已认输：{winner}胜。</translation>
    </message>
    <message>
      <source>the clock is {kind!r}; it must be {kinds}</source>
      <translation>棋钟为 {kind!r}；应为 {kinds} 之一</translation>
    </message>
    <message>
      <source>the main time is {seconds:g} s; it must be at least 1 s</source>
      <translation>基本用时为 {seconds:g} 秒；至少应为 1 秒</translation>
    </message>
    <message>
      <source>there are {periods} periods; it must be 1 to {most}</source>
      <translation>读秒次数为 {periods}；应为 1 到 {most}</translation>
    </message>
    <message>
      <source>a time is {seconds:g} s; it must be {least:g} s to 24 hours</source>
      <translation>有一项时间为 {seconds:g} 秒；应为 {least:g} 秒到 24 小时</translation>
    </message>
    <message>
      <source>none</source>
      <translation>没有</translation>
    </message>
    <message>
      <source>time and increment</source>
      <translation>基本用时加每步加时</translation>
    </message>
    <message>
      <source>time and byo-yomi</source>
      <translation>基本用时加读秒</translation>
    </message>
    <message>
      <source>Clock</source>
      <translation>棋钟</translation>
    </message>
    <message>
      <source>Show the analysis while I play</source>
      <translation>我下棋时显示分析</translation>
    </message>
    <message>
      <source>Without it, a game against an engine hides everything that the search says until it is paused.</source>
      <translation>不勾选时，与引擎对局期间隐藏搜索给出的一切，暂停后才显示。</translation>
    </message>
    <message>
      <source>Main time, minutes</source>
      <translation>基本用时（分钟）</translation>
    </message>
    <message>
      <source>Increment, seconds</source>
      <translation>每步加时（秒）</translation>
    </message>
    <message>
      <source>Byo-yomi, seconds</source>
      <translation>读秒（秒）</translation>
    </message>
    <message>
      <source>Byo-yomi periods</source>
      <translation>读秒（次）</translation>
    </message>
    <message>
      <source>{periods} periods left</source>
      <translation>剩 {periods} 次读秒</translation>
    </message>
    <message>
      <source>Taken back once</source>
      <translation>已悔棋一次</translation>
    </message>
    <message>
      <source>Taken back {times} times</source>
      <translation>已悔棋 {times} 次</translation>
    </message>
    <message>
      <source>Main time</source>
      <translation>基本用时</translation>
    </message>
    <message>
      <source>Increment</source>
      <translation>每步加时</translation>
    </message>
    <message>
      <source>Byo-yomi period</source>
      <translation>每次读秒</translation>
    </message>
    <message>
      <source>Periods</source>
      <translation>读秒次数</translation>
    </message>
    <message>
      <source>+ {periods} periods</source>
      <translation>+ {periods} 次读秒</translation>
    </message>
    <message>
      <source>None ticked: all that the protocol allows.</source>
      <translation>一个都不选：协议所允许的全部。</translation>
    </message>
    <message>
      <source>Choose…</source>
      <translation>选取…</translation>
    </message>
    <message>
      <source>Engines</source>
      <translation>引擎列表</translation>
    </message>
    <message>
      <source>Dialogue with the engine</source>
      <translation>与引擎的对话</translation>
    </message>
    <message>
      <source>Protocol</source>
      <translation>协议</translation>
    </message>
    <message>
      <source>Command</source>
      <translation>命令</translation>
    </message>
    <message>
      <source>Folder</source>
      <translation>文件夹</translation>
    </message>
    <message>
      <source>Machine</source>
      <translation>机器</translation>
    </message>
    <message>
      <source>Options</source>
      <translation>选项</translation>
    </message>
    <message>
      <source>Plays</source>
      <translation>可下的棋</translation>
    </message>
    <message>
      <source>Outside engines</source>
      <translation>外部引擎</translation>
    </message>
    <message>
      <source>such as KataGo</source>
      <translation>例如 KataGo</translation>
    </message>
    <message>
      <source>where the program is started; may be empty</source>
      <translation>启动程序的位置；可以为空</translation>
    </message>
    <message>
      <source>this one; or user@host, which ssh reaches without a password</source>
      <translation>本机；或 user@host，ssh 不用密码即可到达</translation>
    </message>
    <message>
      <source>Add</source>
      <translation>添加</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>移除</translation>
    </message>
    <message>
      <source>Save</source>
      <translation>保存</translation>
    </message>
    <message>
      <source>Test</source>
      <translation>测试</translation>
    </message>
    <message>
      <source>“Test” starts the engine, asks for a move and shows here what was said.</source>
      <translation>“测试”会启动引擎，请它走一着，并在这里显示对话。</translation>
    </message>
    <message>
      <source>The engine's program</source>
      <translation>引擎程序</translation>
    </message>
    <message>
      <source>The folder where it is started</source>
      <translation>启动它的文件夹</translation>
    </message>
    <message>
      <source>all games of the protocol</source>
      <translation>协议的全部棋类</translation>
    </message>
    <message>
      <source>{name} was not saved: {reason}</source>
      <translation>{name} 没有保存：{reason}</translation>
    </message>
    <message>
      <source>Esc closes the list without it.</source>
      <translation>按 Esc 关闭列表而不保存它。</translation>
    </message>
    <message>
      <source>The new engine</source>
      <translation>新引擎</translation>
    </message>
    <message>
      <source>{name} is started and asked for a move…</source>
      <translation>正在启动 {name} 并请它走一着…</translation>
    </message>
    <message>
      <source>Number of the game; each opening is played twice.</source>
      <translation>棋局编号；每个开局下两局。</translation>
    </message>
    <message>
      <source>The player who begins: black, X or yellow.</source>
      <translation>先手：黑、X 或黄。</translation>
    </message>
    <message>
      <source>Won by</source>
      <translation>胜者</translation>
    </message>
    <message>
      <source>The winner, or a draw.</source>
      <translation>获胜的一方，或和棋。</translation>
    </message>
    <message>
      <source>Moves of the game, with those of the opening.</source>
      <translation>棋局的手数，包括开局的着手。</translation>
    </message>
    <message>
      <source>not finished</source>
      <translation>未下完</translation>
    </message>
    <message>
      <source>draw</source>
      <translation>和</translation>
    </message>
    <message>
      <source>{name} by resignation</source>
      <translation>{name}（对方认输）</translation>
    </message>
    <message>
      <source>Start</source>
      <translation>开始</translation>
    </message>
    <message>
      <source>Save games…</source>
      <translation>保存棋局…</translation>
    </message>
    <message>
      <source>Save all games of the match as one SGF file</source>
      <translation>把对抗赛的全部棋局存为一个 SGF 文件</translation>
    </message>
    <message>
      <source>Games of the match</source>
      <translation>对抗赛的棋局</translation>
    </message>
    <message>
      <source>Match</source>
      <translation>对抗赛</translation>
    </message>
    <message>
      <source>So that games differ: each random opening is played twice, with both colours</source>
      <translation>使各局不同：每个随机开局双方换先各下一局</translation>
    </message>
    <message>
      <source>First player of the match</source>
      <translation>对抗赛的第一名棋手</translation>
    </message>
    <message>
      <source>Its opponent</source>
      <translation>其对手</translation>
    </message>
    <message>
      <source>Random moves first</source>
      <translation>开局随机手数</translation>
    </message>
    <message>
      <source>Two players, several games: each random opening twice, with both colours.</source>
      <translation>两名棋手下多局：每个随机开局下两局，双方换先。</translation>
    </message>
    <message>
      <source>In {same} of {pairs} openings the same side of the board won both: that says nothing of the players.</source>
      <translation>{pairs} 个开局中有 {same} 个两局都由棋盘上同一方获胜：它们分不出高下。</translation>
    </message>
    <message>
      <source>The last move is waited for.</source>
      <translation>正在等待最后一着。</translation>
    </message>
    <message>
      <source>No game was finished.</source>
      <translation>没有下完的对局。</translation>
    </message>
    <message>
      <source>Save the games of the match</source>
      <translation>保存对抗赛的棋局</translation>
    </message>
    <message>
      <source>{first} against {second}</source>
      <translation>{first} 对 {second}</translation>
    </message>
    <message>
      <source>The games of the match are saved.</source>
      <translation>对抗赛的棋局已保存。</translation>
    </message>
    <message>
      <source>game {number}, move {ply}</source>
      <translation>第 {number} 局，第 {ply} 手</translation>
    </message>
    <message>
      <source>The engine found no move: give it more simulations or time.</source>
      <translation>引擎没有找到着法：请给它更多模拟次数或时间。</translation>
    </message>
    <message>
      <source>The search was changed while an engine was thinking with its own: play is paused.</source>
      <translation>引擎用自己的设置思考时搜索被更改：对弈已暂停。</translation>
    </message>
    <message>
      <source>Play is paused while the board is out of sight.</source>
      <translation>棋盘不可见时对弈暂停。</translation>
    </message>
    <message>
      <source>The engine is to move: pause the play to move for it.</source>
      <translation>轮到引擎走棋：若要代它走，请先暂停对弈。</translation>
    </message>
    <message>
      <source>Hint: {move}, then {line} · {value}, after {simulations}</source>
      <translation>提示：{move}，其后 {line} · {value}，{simulations}之后</translation>
    </message>
    <message>
      <source>Hint: {move}, then {line} · {value}, proved, after {simulations}</source>
      <translation>提示：{move}，其后 {line} · {value}，已证明，{simulations}之后</translation>
    </message>
    <message>
      <source>Hint: {move} · {value}, after {simulations}</source>
      <translation>提示：{move} · {value}，{simulations}之后</translation>
    </message>
    <message>
      <source>There is no hint: the game is over.</source>
      <translation>没有提示：对局已结束。</translation>
    </message>
    <message>
      <source>There is no hint yet: the search has not begun here. Start it first.</source>
      <translation>尚无提示：此处的搜索还没有开始。请先启动搜索。</translation>
    </message>
    <message>
      <source>Hint: {move} · {value}, proved, after {simulations}</source>
      <translation>提示：{move} · {value}，已证明，{simulations}之后</translation>
    </message>
    <message>
      <source>Beginner</source>
      <translation>入门</translation>
    </message>
    <message>
      <source>Casual</source>
      <translation>业余</translation>
    </message>
    <message>
      <source>Club player</source>
      <translation>棋社水平</translation>
    </message>
    <message>
      <source>Strong</source>
      <translation>强</translation>
    </message>
    <message>
      <source>Full strength</source>
      <translation>全力</translation>
    </message>
    <message>
      <source>seconds is {seconds!r}; it must be at least {least}</source>
      <translation>秒数为 {seconds!r}；至少须为 {least}</translation>
    </message>
    <message>
      <source>an outside engine has seconds for a move, no simulations</source>
      <translation>外部引擎每手用秒数，没有模拟次数</translation>
    </message>
    <message>
      <source>seats is {seats}; there are two</source>
      <translation>seats 为 {seats}；应有两个</translation>
    </message>
    <message>
      <source>the players are left out: {error}</source>
      <translation>对局者未能恢复：{error}</translation>
    </message>
    <message>
      <source>{error}; that engine plays as the window does</source>
      <translation>{error}；该引擎按窗口的设置行棋</translation>
    </message>
    <message>
      <source>first player</source>
      <translation>先行方</translation>
    </message>
    <message>
      <source>second player</source>
      <translation>后行方</translation>
    </message>
    <message>
      <source>{title} after {plies} moves.</source>
      <translation>{plies} 手之后{title}。</translation>
    </message>
    <message>
      <source>Looking back: play goes on at the last move, or from a move made here.</source>
      <translation>正在回看：对弈从最后一手继续，或从此处所走的着法继续。</translation>
    </message>
    <message>
      <source>Delay between the moves of two engines</source>
      <translation>两个引擎走棋之间的间隔</translation>
    </message>
    <message>
      <source>Analyse this game</source>
      <translation>分析此局</translation>
    </message>
    <message>
      <source>Take back</source>
      <translation>悔一手</translation>
    </message>
    <message>
      <source>Hint</source>
      <translation>提示</translation>
    </message>
    <message>
      <source>Resign</source>
      <translation>我认输</translation>
    </message>
    <message>
      <source>Delay of a move</source>
      <translation>走棋间隔</translation>
    </message>
    <message>
      <source>Play</source>
      <translation>对弈</translation>
    </message>
    <message>
      <source>{name} thinks: {done} of {simulations}.</source>
      <translation>{name}正在思考：{simulations}中的 {done} 次。</translation>
    </message>
    <message>
      <source>{name} is a person. After Start it is their move.</source>
      <translation>{name}由人执子。按“开始”后轮到该方走。</translation>
    </message>
    <message>
      <source>{name} to move. Start lets the engine play.</source>
      <translation>轮到{name}走。按“开始”让引擎走棋。</translation>
    </message>
    <message>
      <source>Your move, {name}.</source>
      <translation>{name}，请走棋。</translation>
    </message>
    <message>
      <source>{name} is making its move.</source>
      <translation>{name}思考完毕，正在走棋。</translation>
    </message>
    <message>
      <source>{name} is {players}, as the human net imitates them, without search.</source>
      <translation>{name}是人类网络所模仿的{players}，不搜索。</translation>
    </message>
    <message>
      <source>{name} is {engine}, which thinks: {seconds:g} s a move.</source>
      <translation>{name}由 {engine} 执棋，正在思考：每手 {seconds:g} 秒。</translation>
    </message>
    <message>
      <source>{name} thinks for {seconds:g} s: {done}.</source>
      <translation>{name}思考 {seconds:g} 秒：{done}。</translation>
    </message>
    <message>
      <source>Both have passed after {plies} moves: click the dead stones on the board.</source>
      <translation>{plies} 手后双方弃权：请在棋盘上点击死子。</translation>
    </message>
    <message>
      <source>The game is a draw after {plies} moves.</source>
      <translation>{plies} 手之后成和棋。</translation>
    </message>
    <message>
      <source>Pause</source>
      <translation>暂停</translation>
    </message>
    <message>
      <source>as in the window</source>
      <translation>同窗口</translation>
    </message>
    <message>
      <source>simulations a move</source>
      <translation>次模拟/手</translation>
    </message>
    <message>
      <source>seconds a move</source>
      <translation>秒/手</translation>
    </message>
    <message>
      <source>Limit of a move</source>
      <translation>每手的上限</translation>
    </message>
    <message>
      <source>Unit of the limit</source>
      <translation>上限的单位</translation>
    </message>
    <message>
      <source>Person</source>
      <translation>人</translation>
    </message>
    <message>
      <source>Engine</source>
      <translation>引擎</translation>
    </message>
    <message>
      <source>Who plays</source>
      <translation>由谁走棋</translation>
    </message>
    <message>
      <source>Level</source>
      <translation>棋力级别</translation>
    </message>
    <message>
      <source>Sets the simulations of a move and the temperature: see the guide.</source>
      <translation>设定每步的模拟次数和温度：见指南。</translation>
    </message>
    <message>
      <source>What evaluates its positions</source>
      <translation>由什么评估其局面</translation>
    </message>
    <message>
      <source>from Search settings</source>
      <translation>同搜索设置</translation>
    </message>
    <message>
      <source>its own</source>
      <translation>自有设置</translation>
    </message>
    <message>
      <source>Its search settings</source>
      <translation>其搜索设置</translation>
    </message>
    <message>
      <source>Rule of selection</source>
      <translation>选择所用规则</translation>
    </message>
    <message>
      <source>c of the rule</source>
      <translation>该规则的 c</translation>
    </message>
    <message>
      <source>Weight of the exploration term of the rule.</source>
      <translation>该规则探索项的权重。</translation>
    </message>
    <message>
      <source>Temperature</source>
      <translation>温度</translation>
    </message>
    <message>
      <source>Limit</source>
      <translation>上限</translation>
    </message>
    <message>
      <source>Rule</source>
      <translation>规则</translation>
    </message>
    <message>
      <source>as set below</source>
      <translation>按下面的设定</translation>
    </message>
    <message>
      <source>In the engine's order, its best first.</source>
      <translation>按引擎的次序，最好的在前。</translation>
    </message>
    <message>
      <source>Visits</source>
      <translation>访问次数</translation>
    </message>
    <message>
      <source>The engine's own visits below the move, or nodes where it counts those.</source>
      <translation>引擎自己在该着之下的访问次数；若它数节点，则为节点数。</translation>
    </message>
    <message>
      <source>The engine's win rate as a value from -1 to 1, for the side to move.</source>
      <translation>引擎的胜率换算成 -1 到 1 的价值，属于轮走方。</translation>
    </message>
    <message>
      <source>Lead</source>
      <translation>目差</translation>
    </message>
    <message>
      <source>Points or discs, for the side to move.</source>
      <translation>目数或子数，属于轮走方。</translation>
    </message>
    <message>
      <source>Prior</source>
      <translation>先验概率</translation>
    </message>
    <message>
      <source>What the engine's net thinks of the move before any search.</source>
      <translation>引擎的网络在搜索之前对该着的看法。</translation>
    </message>
    <message>
      <source>Evaluation</source>
      <translation>评估</translation>
    </message>
    <message>
      <source>In the engine's own units, for the side to move.</source>
      <translation>以引擎自己的单位计，属于轮走方。</translation>
    </message>
    <message>
      <source>Depth</source>
      <translation>深度</translation>
    </message>
    <message>
      <source>Plies that the engine searched.</source>
      <translation>引擎搜索的层数。</translation>
    </message>
    <message>
      <source>Line of play</source>
      <translation>预期变化</translation>
    </message>
    <message>
      <source>What the engine expects; a double click plays the move.</source>
      <translation>引擎预期的下法；双击走这一着。</translation>
    </message>
    <message>
      <source>Nothing was said yet.</source>
      <translation>还没有对话。</translation>
    </message>
    <message>
      <source>What the engine says</source>
      <translation>引擎的意见</translation>
    </message>
    <message>
      <source>Engine that is asked</source>
      <translation>询问的引擎</translation>
    </message>
    <message>
      <source>Dialogue</source>
      <translation>对话</translation>
    </message>
    <message>
      <source>Second opinion</source>
      <translation>第二意见</translation>
    </message>
    <message>
      <source>Engines…</source>
      <translation>引擎…</translation>
    </message>
    <message>
      <source>Ask</source>
      <translation>询问</translation>
    </message>
    <message>
      <source>{name}: its own figures, for {mover}.</source>
      <translation>{name}：它自己的数字，以{mover}为准。</translation>
    </message>
    <message>
      <source>Ask an engine what it thinks of the position shown.</source>
      <translation>询问一个引擎对所示局面的看法。</translation>
    </message>
    <message>
      <source>No engine is listed yet. “Engines…” adds one, such as KataGo, GNU Go, Rapfi or NTest.</source>
      <translation>还没有列出引擎。用“引擎…”添加一个，如 KataGo、GNU Go、Rapfi 或 NTest。</translation>
    </message>
    <message>
      <source>{name} is asked.</source>
      <translation>正在询问 {name}。</translation>
    </message>
    <message>
      <source>Ringed so on the board: {move}, its best move</source>
      <translation>棋盘上这样圈出：{move}，它的最佳着法</translation>
    </message>
    <message>
      <source>Value of the game for the first player</source>
      <translation>以先手计的对局价值</translation>
    </message>
    <message>
      <source>Mistakes of the game</source>
      <translation>本局的失误</translation>
    </message>
    <message>
      <source>Analyse the whole game to see its value over the moves and where it was lost.</source>
      <translation>分析整局，即可看到其价值随着法的变化以及败在何处。</translation>
    </message>
    <message>
      <source>Player</source>
      <translation>棋手</translation>
    </message>
    <message>
      <source>Who made it.</source>
      <translation>由谁走出。</translation>
    </message>
    <message>
      <source>Played</source>
      <translation>实走</translation>
    </message>
    <message>
      <source>Best</source>
      <translation>最佳</translation>
    </message>
    <message>
      <source>Loss, 0–1</source>
      <translation>损失（0–1）</translation>
    </message>
    <message>
      <source>Expected score given away: 0 a loss, 0.5 a draw, 1 a win. From the searched values for the mover.</source>
      <translation>让出的期望得分：0 为负，0.5 为和，1 为胜。取自轮走方的搜索价值。</translation>
    </message>
    <message>
      <source>Points</source>
      <translation>失分</translation>
    </message>
    <message>
      <source>Points given away: the lead after the best move less the lead after the move made, for the mover.</source>
      <translation>轮走方在最佳着法后的领先减去实际着法后的领先，以目或子计。</translation>
    </message>
    <message>
      <source>Class</source>
      <translation>类别</translation>
    </message>
    <message>
      <source>Inaccuracy from 0.05, mistake from 0.10, blunder from 0.20 of the expected score; or by points, with the limits entered above.</source>
      <translation>期望得分损失 0.05 起为不精确，0.10 起为失误，0.20 起为大失误；或按失分，以上方输入的界限为准。</translation>
    </message>
    <message>
      <source>P human</source>
      <translation>人类 P</translation>
    </message>
    <message>
      <source>How likely the players that the human net imitates play the move, as that net claims: a mistake of their rank from 10 %.</source>
      <translation>按人类网络的说法，它所模仿的棋手下这一着的可能性：从 10 % 起算作他们段级位的失误。</translation>
    </message>
    <message>
      <source>Proved</source>
      <translation>证明与否</translation>
    </message>
    <message>
      <source>Whether the values of both moves are proved: then the loss is exact.</source>
      <translation>两着法的价值是否都已证明：若是则损失为精确值。</translation>
    </message>
    <message>
      <source>Only the line on the board; go to a variation to analyse it.</source>
      <translation>只分析棋盘上的这一线：进入某个变化即可分析它。</translation>
    </message>
    <message>
      <source>Seconds for each position</source>
      <translation>每个局面的秒数</translation>
    </message>
    <message>
      <source>Analyse the whole game</source>
      <translation>分析整局棋</translation>
    </message>
    <message>
      <source>Who judges the moves</source>
      <translation>由谁评判着法</translation>
    </message>
    <message>
      <source>Export as CSV…</source>
      <translation>导出为 CSV…</translation>
    </message>
    <message>
      <source>loading the graph…</source>
      <translation>正在载入曲线图…</translation>
    </message>
    <message>
      <source>Summary of the game</source>
      <translation>对局小结</translation>
    </message>
    <message>
      <source>Game report</source>
      <translation>对局报告</translation>
    </message>
    <message>
      <source>seconds a position</source>
      <translation>秒/局面</translation>
    </message>
    <message>
      <source>simulations a position</source>
      <translation>次模拟/局面</translation>
    </message>
    <message>
      <source>at the start</source>
      <translation>起始处</translation>
    </message>
    <message>
      <source>{where}: {value} for {player}, proved</source>
      <translation>{where}：{player} {value}，已证明</translation>
    </message>
    <message>
      <source>{where}: {value} for {player}</source>
      <translation>{where}：{player} {value}</translation>
    </message>
    <message>
      <source>Analyse this line</source>
      <translation>分析此变化</translation>
    </message>
    <message>
      <source>Our search</source>
      <translation>我们的搜索</translation>
    </message>
    <message>
      <source>Value of the game</source>
      <translation>对局的价值</translation>
    </message>
    <message>
      <source>Value for {first} · +1 {first} wins, −1 {second} wins</source>
      <translation>{first}的价值 · +1 为{first}胜，−1 为{second}胜</translation>
    </message>
    <message>
      <source>Export the report</source>
      <translation>导出报告</translation>
    </message>
    <message>
      <source>{words} · {kind}, loss {loss} of 1, best {best}</source>
      <translation>{words} · {kind}，损失 {loss}（满分 1），最佳 {best}</translation>
    </message>
    <message>
      <source>proved</source>
      <translation>已证明</translation>
    </message>
    <message>
      <source>Analysing…</source>
      <translation>正在分析…</translation>
    </message>
    <message>
      <source>Value for {first} · +1 {first} wins, −1 {second} wins · dashed: lead of {first} in points</source>
      <translation>{first}的价值 · +1 为{first}胜，−1 为{second}胜 · 虚线：{first}的领先（目或子）</translation>
    </message>
    <message>
      <source>After {ply}. {names}</source>
      <translation>{ply}. {names} 之后</translation>
    </message>
    <message>
      <source>{where}: not analysed</source>
      <translation>{where}：未分析</translation>
    </message>
    <message>
      <source>{where}: lead of {player} {lead}</source>
      <translation>{where}：{player} 领先 {lead}</translation>
    </message>
    <message>
      <source>{words} · {kind}, {points} points lost, best {best}</source>
      <translation>{words} · {kind}，失 {points} 分，最佳 {best}</translation>
    </message>
    <message>
      <source>No mistakes.</source>
      <translation>没有失误。</translation>
    </message>
    <message>
      <source>{words}, lead {lead}</source>
      <translation>{words}，领先 {lead}</translation>
    </message>
    <message>
      <source>a blunder</source>
      <translation>一次大失误</translation>
    </message>
    <message>
      <source>a mistake</source>
      <translation>一次失误</translation>
    </message>
    <message>
      <source>an inaccuracy</source>
      <translation>一次不精确</translation>
    </message>
    <message>
      <source>Ply {ply}: {move} of {player} is {what}: it loses {loss} of the expected score; the search plays {best}.</source>
      <translation>第 {ply} 手：{player}的 {move} 是{what}：损失期望得分 {loss}；搜索会走 {best}。</translation>
    </message>
    <message>
      <source>Ply {ply}: {move} of {player} is {what}: it loses {loss} points; the search plays {best}.</source>
      <translation>第 {ply} 手：{player}的 {move} 是{what}：失 {loss} 分；搜索会走 {best}。</translation>
    </message>
    <message>
      <source>The whole game</source>
      <translation>全局</translation>
    </message>
    <message>
      <source>The main line, without its variations</source>
      <translation>主线（不含变化）</translation>
    </message>
    <message>
      <source>No game is analysed yet: analyse the whole game first.</source>
      <translation>尚未分析对局：请先分析整局。</translation>
    </message>
    <message>
      <source>There is no other mistake there.</source>
      <translation>那边没有别的失误。</translation>
    </message>
    <message>
      <source>Ply {ply}: {move} of {player} is {what}: it loses {loss} of the expected score, exactly; the search plays {best}.</source>
      <translation>第 {ply} 手：{player}的 {move} 是{what}：损失期望得分恰为 {loss}；搜索会走 {best}。</translation>
    </message>
    <message>
      <source>The variation from {move} on</source>
      <translation>自 {move} 起的变化</translation>
    </message>
    <message>
      <source>{title}, {simulations} each</source>
      <translation>{title}，每个局面 {simulations}</translation>
    </message>
    <message>
      <source>{judged} of {total} positions · {how} · continue for the rest</source>
      <translation>{total} 个局面中的 {judged} 个 · {how} · 其余可继续</translation>
    </message>
    <message>
      <source>{total} positions · {how}</source>
      <translation>{total} 个局面 · {how}</translation>
    </message>
    <message>
      <source>Another line is being analysed · {how}</source>
      <translation>正在分析另一条线 · {how}</translation>
    </message>
    <message>
      <source>There is no move to analyse yet: play or open a game first.</source>
      <translation>尚无可分析的着法：请先下棋或打开一局。</translation>
    </message>
    <message>
      <source>Blunders</source>
      <translation>大失误数</translation>
    </message>
    <message>
      <source>Mistakes</source>
      <translation>失误数</translation>
    </message>
    <message>
      <source>Inaccuracies</source>
      <translation>不精确数</translation>
    </message>
    <message>
      <source>Mean loss, 0–1</source>
      <translation>每手平均损失（0–1）</translation>
    </message>
    <message>
      <source>Points lost a move</source>
      <translation>每手失分</translation>
    </message>
    <message>
      <source>Accuracy</source>
      <translation>准确度</translation>
    </message>
    <message>
      <source>Same as the search</source>
      <translation>与搜索一致</translation>
    </message>
    <message>
      <source>Among its first three</source>
      <translation>在搜索前三之列</translation>
    </message>
    <message>
      <source>Mistakes of the rank</source>
      <translation>该段级位的失误</translation>
    </message>
    <message>
      <source>Expected score given away in a move, on the average.</source>
      <translation>每手平均让出的期望得分。</translation>
    </message>
    <message>
      <source>Points of score lead given away in a move, on the average.</source>
      <translation>每手平均失去的领先（目或子）。</translation>
    </message>
    <message>
      <source>100 where no point is lost, and three quarters of it for each point lost in a move.</source>
      <translation>一分不失为 100；每手每失一分，乘以四分之三。</translation>
    </message>
    <message>
      <source>Mistakes of any class that the players of the human net make at least one time in ten, as that net claims; of all mistakes.</source>
      <translation>按人类网络的说法，它所模仿的棋手至少十次中有一次会犯的各类失误；后面是全部失误。</translation>
    </message>
    <message>
      <source>Classes of mistakes</source>
      <translation>失误的类别</translation>
    </message>
    <message>
      <source>What the classes of mistakes go by</source>
      <translation>失误类别的依据</translation>
    </message>
    <message>
      <source>Limits of the classes in points</source>
      <translation>各类别的失分界限</translation>
    </message>
    <message>
      <source>Points lost, five numbers: from the second on a blunder, a mistake, an inaccuracy; the others divide the moves further.</source>
      <translation>失分（目或子），五个数：第二个起依次为大失误、失误、不精确；其余用于进一步划分。</translation>
    </message>
    <message>
      <source>Moves that lose {least:g} points or more.</source>
      <translation>失 {least:g} 分或更多的着法。</translation>
    </message>
    <message>
      <source>Moves that lose {least:.2f} or more.</source>
      <translation>损失 {least:.2f} 或更多的着法。</translation>
    </message>
    <message>
      <source>by points lost</source>
      <translation>按失分</translation>
    </message>
    <message>
      <source>by expected score</source>
      <translation>按期望得分</translation>
    </message>
    <message>
      <source>{step} points or more: {moves}</source>
      <translation>{step} 分或更多：{moves}</translation>
    </message>
    <message>
      <source>{low} to {high} points: {moves}</source>
      <translation>{low} 至 {high} 分：{moves}</translation>
    </message>
    <message>
      <source>Pause, and go on</source>
      <translation>暂停，或继续</translation>
    </message>
    <message>
      <source>One part further: a move, a stone, a node</source>
      <translation>前进一小步：一着、一子、一个节点</translation>
    </message>
    <message>
      <source>Back to the present (Esc)</source>
      <translation>回到现在 (Esc)</translation>
    </message>
    <message>
      <source>Speed</source>
      <translation>速度</translation>
    </message>
    <message>
      <source>Which move does the search choose next? Click it.</source>
      <translation>搜索下一步选哪着？请点击它。</translation>
    </message>
    <message>
      <source>Only its result was kept: tactical rollouts cannot be replayed.</source>
      <translation>仅保留了结果：按战术进行的对局不再重现。</translation>
    </message>
    <message>
      <source>Only its result was kept: its random numbers are no longer known.</source>
      <translation>仅保留了结果：其随机数已不可知。</translation>
    </message>
    <message>
      <source>Only its result was kept: its random game could not be replayed with certainty.</source>
      <translation>仅保留了结果：其随机对局无法确切重现。</translation>
    </message>
    <message>
      <source>random game of {moves} moves, {ended}: {value}</source>
      <translation>{moves} 手的随机对局，{ended}：{value}</translation>
    </message>
    <message>
      <source>With batches or several threads it may have begun before simulations that are counted ahead of it.</source>
      <translation>使用批次或多个线程时，它可能先于计在其前的模拟开始。</translation>
    </message>
    <message>
      <source>Values are backed up with their sign turned at each ply; from a proved node on its exact value counts.</source>
      <translation>价值逐手变号回传；自已证明的节点起以其精确值计。</translation>
    </message>
    <message>
      <source>it ends at the root, which is the leaf</source>
      <translation>止于根节点，即叶节点</translation>
    </message>
    <message>
      <source>{moves}  (1 ply)</source>
      <translation>{moves}（1 手）</translation>
    </message>
    <message>
      <source>{moves}  ({plies} plies)</source>
      <translation>{moves}（{plies} 手）</translation>
    </message>
    <message>
      <source>{node} gets {moves} moves</source>
      <translation>{node} 得到 {moves} 个着法</translation>
    </message>
    <message>
      <source>nothing new: the leaf was known</source>
      <translation>没有新增：叶节点早已存在</translation>
    </message>
    <message>
      <source>net, batch {batch}, leaf {leaf} of {leaves}: {value}</source>
      <translation>网络，第 {batch} 批，{leaves} 个叶节点中第 {leaf} 个：{value}</translation>
    </message>
    <message>
      <source>the root</source>
      <translation>根</translation>
    </message>
    <message>
      <source>it gets {moves} moves</source>
      <translation>其得到 {moves} 个着法</translation>
    </message>
    <message>
      <source>{figures}, proved {result}</source>
      <translation>{figures}，证明为{result}</translation>
    </message>
    <message>
      <source>root {figures}</source>
      <translation>根节点 {figures}</translation>
    </message>
    <message>
      <source>always the highest score</source>
      <translation>总是得分最高者</translation>
    </message>
    <message>
      <source>from the root, always the move with the highest score</source>
      <translation>从根开始，每次走得分最高的着法</translation>
    </message>
    <message>
      <source>Here all are shown for {player}.</source>
      <translation>这里全部以{player}为准。</translation>
    </message>
    <message>
      <source>From the root to a leaf, taking the move with the best score at each node.</source>
      <translation>从根节点到叶节点，在每个节点走得分最高的着法。</translation>
    </message>
    <message>
      <source>The leaf enters the tree; a node that is passed gets its moves.</source>
      <translation>叶节点进入树；途经的节点展开其着法。</translation>
    </message>
    <message>
      <source>new leaf at the root</source>
      <translation>新叶节点即根</translation>
    </message>
    <message>
      <source>game over, {outcome}: {value}</source>
      <translation>终局，{outcome}：{value}</translation>
    </message>
    <message>
      <source>proved before: {value}</source>
      <translation>此前已证明：{value}</translation>
    </message>
    <message>
      <source>random game: {value}</source>
      <translation>随机对局：{value}</translation>
    </message>
    <message>
      <source>{root}, V {figures}</source>
      <translation>{root}，V {figures}</translation>
    </message>
    <message>
      <source>{score}, the highest</source>
      <translation>{score}，最高</translation>
    </message>
    <message>
      <source>{move}: not visited yet, U is infinite</source>
      <translation>{move}：还没有访问过，U 为无穷大</translation>
    </message>
    <message>
      <source>for {player}: {figures}</source>
      <translation>以{player}为准：{figures}</translation>
    </message>
    <message>
      <source>What the leaf is worth for the side to move there.</source>
      <translation>叶节点对该处轮走方的价值。</translation>
    </message>
    <message>
      <source>net or its cache: {value}</source>
      <translation>网络或其缓存：{value}</translation>
    </message>
    <message>
      <source>from the net's cache: {value}</source>
      <translation>来自网络的缓存：{value}</translation>
    </message>
    <message>
      <source>random game: {moves}</source>
      <translation>随机对局：{moves}</translation>
    </message>
    <message>
      <source>new leaf {move}</source>
      <translation>新叶节点 {move}</translation>
    </message>
    <message>
      <source>{right} of {count} right</source>
      <translation>{count} 次中对 {right} 次</translation>
    </message>
    <message>
      <source>Right.</source>
      <translation>对。</translation>
    </message>
    <message>
      <source>No:</source>
      <translation>不对：</translation>
    </message>
    <message>
      <source>simulation {number} had begun before, in a batch</source>
      <translation>第 {number} 次模拟在同一批中更早开始</translation>
    </message>
    <message>
      <source>% of the simulations · batch: mean leaves</source>
      <translation>占模拟次数的 % · 批量：平均叶节点数</translation>
    </message>
    <message>
      <source>Searched value of the position and of its best moves after each simulation. A click goes to that simulation.</source>
      <translation>每次模拟之后该局面及其最佳着法的搜索价值。单击可转到该次模拟。</translation>
    </message>
    <message>
      <source>Share of all visits that each move had after each simulation. A click goes to that simulation.</source>
      <translation>每次模拟之后各着法的访问占比。单击可转到该次模拟。</translation>
    </message>
    <message>
      <source>Number of nodes of the tree at each depth below the position.</source>
      <translation>此局面之下各手数处的节点数。</translation>
    </message>
    <message>
      <source>Prior against visits</source>
      <translation>先验概率对访问次数</translation>
    </message>
    <message>
      <source>Each point is a move. Above the dashed line the search visited it more than its prior asked for.</source>
      <translation>每个点为一个着法。位于虚线之上表示搜索访问它多于其先验概率所求。</translation>
    </message>
    <message>
      <source>Worse moves</source>
      <translation>较差的着法</translation>
    </message>
    <message>
      <source>The net's policy P and the visits π on moves whose Q was lower by 0.1 or more than that of the most visited move after each simulation; now also on those proved worse. A click goes to that simulation.</source>
      <translation>每次模拟之后，网络策略 P 与访问 π 落在 Q 比访问最多的着法低 0.1 或以上的着法上的份额；最后一点还包括已证明较差的着法。单击可转到该次模拟。</translation>
    </message>
    <message>
      <source>Batches</source>
      <translation>批次</translation>
    </message>
    <message>
      <source>What gave the latest simulations their values: the share answered from the net's cache, descents given up as their leaf was waiting already, and leaves of a batch. A click goes to that simulation.</source>
      <translation>最近各次模拟的价值从何而来：由网络缓存回答的占比、因叶节点已在等待而放弃的下行，以及每批的叶节点数。单击可转到该次模拟。</translation>
    </message>
    <message>
      <source>% of the visits N</source>
      <translation>占访问次数 N 的 %</translation>
    </message>
    <message>
      <source>prior {prior}, of the net {net_prior}</source>
      <translation>先验概率 {prior}，网络原值 {net_prior}</translation>
    </message>
    <message>
      <source>prior {prior}</source>
      <translation>先验概率 {prior}</translation>
    </message>
    <message>
      <source>% on moves worse by 0.1 or more</source>
      <translation>% 落在差 0.1 或以上的着法上</translation>
    </message>
    <message>
      <source>at simulation {simulations}</source>
      <translation>在第 {simulations} 次模拟</translation>
    </message>
    <message>
      <source>position</source>
      <translation>此局面</translation>
    </message>
    <message>
      <source>Q for {mover}</source>
      <translation>Q，以{mover}为准</translation>
    </message>
    <message>
      <source>nodes</source>
      <translation>节点</translation>
    </message>
    <message>
      <source>simulations ended</source>
      <translation>结束的模拟</translation>
    </message>
    <message>
      <source>now, at simulation {simulations}</source>
      <translation>现在，第 {simulations} 次模拟</translation>
    </message>
    <message>
      <source>plies below the position</source>
      <translation>此局面之下的手数</translation>
    </message>
    <message>
      <source>dashed: visits equal to the prior</source>
      <translation>虚线：访问与先验概率一致</translation>
    </message>
    <message>
      <source>share of the visits over prior, both logarithmic</source>
      <translation>访问占比对先验概率，均为对数刻度</translation>
    </message>
    <message>
      <source>{prior} · visits {share} · N {visits}</source>
      <translation>{prior} · 访问 {share} · N {visits}</translation>
    </message>
    <message>
      <source>from the cache</source>
      <translation>来自缓存</translation>
    </message>
    <message>
      <source>collisions</source>
      <translation>碰撞</translation>
    </message>
    <message>
      <source>{count} others</source>
      <translation>其余 {count} 个</translation>
    </message>
    <message>
      <source>not visited</source>
      <translation>未访问</translation>
    </message>
    <message>
      <source>The net's batches were not recorded here: no net, or a search from a file.</source>
      <translation>此处没有网络批次的记录：没有使用网络，或搜索来自文件。</translation>
    </message>
    <message>
      <source>no move had been visited yet</source>
      <translation>那时还没有走法被访问</translation>
    </message>
    <message>
      <source>batch, of {largest}</source>
      <translation>批量，最大 {largest}</translation>
    </message>
    <message>
      <source>at depth {at}, in plies</source>
      <translation>深度 {at} 手处</translation>
    </message>
    <message>
      <source>The simulation's stages</source>
      <translation>该次模拟的各阶段</translation>
    </message>
    <message>
      <source>No simulation to look at yet: Space starts a search.</source>
      <translation>还没有可回看的模拟：按空格键开始搜索。</translation>
    </message>
    <message>
      <source>The search is locked on another position; go there to look back.</source>
      <translation>搜索锁定在另一局面；回到那里才能回看。</translation>
    </message>
    <message>
      <source>No simulation to look at yet: the search has only begun.</source>
      <translation>还没有可查看的模拟：搜索刚刚开始。</translation>
    </message>
    <message>
      <source>Simulation {place} of {now}</source>
      <translation>第 {place} / {now} 次模拟</translation>
    </message>
    <message>
      <source>Before the first simulation (^)</source>
      <translation>第一次模拟之前 (^)</translation>
    </message>
    <message>
      <source>Ten simulations back (&lt;)</source>
      <translation>后退十次模拟 (&lt;)</translation>
    </message>
    <message>
      <source>One simulation back (,)</source>
      <translation>后退一次模拟 (,)</translation>
    </message>
    <message>
      <source>Play or pause the simulations (Ctrl+Space)</source>
      <translation>播放模拟或暂停 (Ctrl+Space)</translation>
    </message>
    <message>
      <source>One simulation forward (.)</source>
      <translation>前进一次模拟 (.)</translation>
    </message>
    <message>
      <source>Ten simulations forward (&gt;)</source>
      <translation>前进十次模拟 (&gt;)</translation>
    </message>
    <message>
      <source>no figures yet</source>
      <translation>尚无数据</translation>
    </message>
    <message>
      <source>Every simulation of the search: drag to look back</source>
      <translation>搜索的每次模拟：拖动以回看</translation>
    </message>
    <message>
      <source>Simulation looked at</source>
      <translation>正在查看的模拟</translation>
    </message>
    <message>
      <source>The simulation looked at; type a number and press Return</source>
      <translation>正在查看的模拟；输入数字并按回车</translation>
    </message>
    <message>
      <source>Number of the simulation looked at</source>
      <translation>正在查看的模拟的序号</translation>
    </message>
    <message>
      <source>Speed, charts, pictures and figures</source>
      <translation>速度、图表、图片和数据</translation>
    </message>
    <message>
      <source>Timeline</source>
      <translation>时间线</translation>
    </message>
    <message>
      <source>Follow playouts</source>
      <translation>跟随推演</translation>
    </message>
    <message>
      <source>Highlight the path of each simulation on the board and open the tree along it</source>
      <translation>在棋盘上点亮每次模拟的路径，并沿其展开搜索树</translation>
    </message>
    <message>
      <source>Whole range</source>
      <translation>全部范围</translation>
    </message>
    <message>
      <source>Hesitation {number} of {count}: {sentence}</source>
      <translation>第 {number} 次犹豫（共 {count} 次）：{sentence}</translation>
    </message>
    <message>
      <source>The game is over here: there is nothing to search.</source>
      <translation>此处对局已结束：没有可搜索的。</translation>
    </message>
    <message>
      <source>Hesitation {number} of {count}, still to come: {sentence}</source>
      <translation>第 {number} 次犹豫（共 {count} 次），尚在其后：{sentence}</translation>
    </message>
    <message>
      <source>Some of these simulations began further down the tree: the curves count them here.</source>
      <translation>其中部分模拟始于树的更深处：曲线将其计在此处。</translation>
    </message>
    <message>
      <source>reading the search: {behind} to go</source>
      <translation>正在读取搜索：还剩 {behind}</translation>
    </message>
    <message>
      <source>No hesitation of the search so far.</source>
      <translation>搜索至今没有犹豫。</translation>
    </message>
    <message>
      <source>of {now}</source>
      <translation>/ {now}</translation>
    </message>
    <message>
      <source>Before the first simulation: the tree is empty. “.” goes one forward.</source>
      <translation>第一次模拟之前：树为空。按“.”前进一次。</translation>
    </message>
    <message>
      <source>Going to simulation {place}… (compiles once on this machine)</source>
      <translation>正在前往第 {place} 次模拟…（本机首次需要编译）</translation>
    </message>
    <message>
      <source>This is the present. Drag the slider or press “,” to look back; the search continues.</source>
      <translation>这是当前。拖动滑块或按“,”回看；搜索继续进行。</translation>
    </message>
    <message>
      <source>This is the present. Drag the slider or press “,” to look back.</source>
      <translation>这是当前。拖动滑块或按“,”回看。</translation>
    </message>
    <message>
      <source>Triangles mark the hesitations of the search: blue where another move became the best, orange where the best one was refuted, or where the search of another program has a fault. Click one to go there.</source>
      <translation>三角形标出搜索的犹豫：蓝色处另一着法成为最佳着法，橙色处最佳着法被反驳，或其他程序的搜索有错误。点击即可前往。</translation>
    </message>
    <message>
      <source>Hesitations of the search</source>
      <translation>搜索的犹豫</translation>
    </message>
    <message>
      <source>Change of the best &amp;move</source>
      <translation>最佳着法改变(&amp;M)</translation>
    </message>
    <message>
      <source>&amp;Prior overruled</source>
      <translation>先验概率被推翻(&amp;P)</translation>
    </message>
    <message>
      <source>&amp;Q of the selected move crossing a value…</source>
      <translation>所选着法的 Q 越过某个值(&amp;Q)…</translation>
    </message>
    <message>
      <source>&amp;First visit of the selected move</source>
      <translation>所选着法的首次访问(&amp;F)</translation>
    </message>
    <message>
      <source>P&amp;roof of the selected move</source>
      <translation>所选着法的证明(&amp;R)</translation>
    </message>
    <message>
      <source>Go back to the &amp;last</source>
      <translation>回到上一次(&amp;L)</translation>
    </message>
    <message>
      <source>Pause at the ne&amp;xt</source>
      <translation>在下一次时暂停(&amp;X)</translation>
    </message>
    <message>
      <source>Earlier moments of a search on another machine cannot be looked for.</source>
      <translation>另一台机器上的搜索，其过去的时刻无法查找。</translation>
    </message>
    <message>
      <source>A value from −1 to +1, for the player whose values are shown.</source>
      <translation>−1 至 +1 的值，以所显示价值的一方为准。</translation>
    </message>
    <message>
      <source>Paused after simulation {n}: {title}. Space continues.</source>
      <translation>在第 {n} 次模拟之后暂停：{title}。按空格键继续。</translation>
    </message>
    <message>
      <source>There is no such moment before the one shown: {title}.</source>
      <translation>所示时刻之前没有这样的时刻：{title}。</translation>
    </message>
    <message>
      <source>The search will pause: {title}.</source>
      <translation>搜索将会暂停：{title}。</translation>
    </message>
    <message>
      <source>a number from {low:g} to {high:g}</source>
      <translation>{low:g} 至 {high:g} 的数</translation>
    </message>
    <message>
      <source>Smoothing</source>
      <translation>平滑</translation>
    </message>
    <message>
      <source>Exponential moving average: the weight of earlier figures. The figures themselves stay behind it.</source>
      <translation>指数移动平均：先前数值的权重。原始数值以淡色留在后面。</translation>
    </message>
    <message>
      <source>Runs in the charts: {names}</source>
      <translation>图表中的训练：{names}</translation>
    </message>
    <message>
      <source>smoothed, weight {weight:.2f}</source>
      <translation>已平滑，权重 {weight:.2f}</translation>
    </message>
    <message>
      <source>Let the two nets play against each other</source>
      <translation>让两个网络对弈</translation>
    </message>
    <message>
      <source>Search this position with both nets, side by side, in the analysis</source>
      <translation>在分析页中用两个网络并排搜索此局面</translation>
    </message>
    <message>
      <source>Choose another net under “Compare with” first</source>
      <translation>请先在“比较对象”中另选一个网络</translation>
    </message>
    <message>
      <source>Value of this position</source>
      <translation>此局面的价值</translation>
    </message>
    <message>
      <source>for the side to move</source>
      <translation>以轮走方为准</translation>
    </message>
    <message>
      <source>Policy of this position</source>
      <translation>此局面的策略</translation>
    </message>
    <message>
      <source>Prior in every net of the chosen net's most probable moves.</source>
      <translation>所选网络中概率最高的着法，在每个网络中的先验概率。</translation>
    </message>
    <message>
      <source>step {step} · {time}</source>
      <translation>第 {step} 步 · {time}</translation>
    </message>
    <message>
      <source>step {step} · {time} · best on the ladder</source>
      <translation>第 {step} 步 · {time} · 天梯最佳</translation>
    </message>
    <message>
      <source>Checkpoint</source>
      <translation>检查点位置</translation>
    </message>
    <message>
      <source>Compare with</source>
      <translation>比较对象</translation>
    </message>
    <message>
      <source>The highest-rated net on the ladder</source>
      <translation>天梯上等级分最高的网络</translation>
    </message>
    <message>
      <source>Use in analysis</source>
      <translation>用于分析</translation>
    </message>
    <message>
      <source>When learnt</source>
      <translation>何时学会</translation>
    </message>
    <message>
      <source>What did it learn when? The room Inside the net asks the kept nets of the run for each concept.</source>
      <translation>它何时学会了什么？“网络内部”会用每个概念检查这次训练保存的网络。</translation>
    </message>
    <message>
      <source>Match…</source>
      <translation>对抗…</translation>
    </message>
    <message>
      <source>What if</source>
      <translation>假设搜索</translation>
    </message>
    <message>
      <source>Policy</source>
      <translation>策略</translation>
    </message>
    <message>
      <source>No net has been kept yet. The first is kept after “checkpoint minutes” of training.</source>
      <translation>尚未保留网络。第一个在训练“检查点分钟数”之后保留。</translation>
    </message>
    <message>
      <source>Simulations a move</source>
      <translation>每步模拟次数</translation>
    </message>
    <message>
      <source>Step {first} against step {second}</source>
      <translation>第 {first} 步对第 {second} 步</translation>
    </message>
    <message>
      <source>From random openings, each with both colours. The run's ladder is not changed.</source>
      <translation>从随机开局开始，每个开局双方各执一次先。训练的天梯不变。</translation>
    </message>
    <message>
      <source>Step {first} against {second}: {standing}</source>
      <translation>第 {first} 步对第 {second} 步：{standing}</translation>
    </message>
    <message>
      <source>no other</source>
      <translation>不比较</translation>
    </message>
    <message>
      <source>The first games are being played.</source>
      <translation>正在下最初几局。</translation>
    </message>
    <message>
      <source>The checkpoint before</source>
      <translation>前一个检查点</translation>
    </message>
    <message>
      <source>The checkpoint after</source>
      <translation>后一个检查点</translation>
    </message>
    <message>
      <source>P at {step}</source>
      <translation>{step} 步的 P</translation>
    </message>
    <message>
      <source>Change</source>
      <translation>变化</translation>
    </message>
    <message>
      <source>as it is</source>
      <translation>原样</translation>
    </message>
    <message>
      <source>changed</source>
      <translation>改变之后</translation>
    </message>
    <message>
      <source>Look again</source>
      <translation>重新查看</translation>
    </message>
    <message>
      <source>Look at the newest samples, nets and reports of this run</source>
      <translation>查看这次训练最新的样本、网络和报告</translation>
    </message>
    <message>
      <source>Nothing that is looked for is wrong with this run.</source>
      <translation>没有发现这次训练有所查的问题。</translation>
    </message>
    <message>
      <source>reading samples</source>
      <translation>正在读取样本</translation>
    </message>
    <message>
      <source>Experiment: {change}. Below: {figure}</source>
      <translation>实验：{change}。下面是：{figure}</translation>
    </message>
    <message>
      <source>looked at {samples} samples of {iterations} iterations</source>
      <translation>查看了 {iterations} 次迭代的 {samples} 个样本</translation>
    </message>
    <message>
      <source>seen from iteration {iteration} on</source>
      <translation>从第 {iteration} 次迭代起可见</translation>
    </message>
    <message>
      <source>game</source>
      <translation>所下的棋</translation>
    </message>
    <message>
      <source>net</source>
      <translation>所用网络</translation>
    </message>
    <message>
      <source>search</source>
      <translation>搜索方式</translation>
    </message>
    <message>
      <source>evaluator</source>
      <translation>评估程序</translation>
    </message>
    <message>
      <source>number of threads</source>
      <translation>线程数</translation>
    </message>
    <message>
      <source>Time</source>
      <translation>时间</translation>
    </message>
    <message>
      <source>GPU</source>
      <translation>GPU</translation>
    </message>
    <message>
      <source>not known: no earlier run on this machine to measure by; the first iterations show it</source>
      <translation>未知：本机还没有可参照的训练；最初几轮之后即可知道</translation>
    </message>
    <message>
      <source>Added up from the settings, when the replay buffer is full: positions to learn from; weights, optimizer and one batch; trees and caches of self-play; the program itself, as it was measured on Linux.</source>
      <translation>按设置累加，以回放缓冲区已满计：用于学习的局面；权重、优化器和一个批次；自我对弈的树与缓存；程序本身（在 Linux 上测得）。</translation>
    </message>
    <message>
      <source>Scaled from the reports of an earlier run: by the simulations for each position, by the net's multiplications and by the positions of an iteration. It changes as the games become longer or shorter.</source>
      <translation>由以前一次训练的报告换算：按每个局面的模拟次数、网络的乘法次数和每轮的局面数。对局变长或变短时会随之变化。</translation>
    </message>
    <message>
      <source>{parameters} parameters ({size}), {multiplications} million multiplications for each position</source>
      <translation>{parameters} 个参数（{size}），每个局面 {multiplications} 百万次乘法</translation>
    </message>
    <message>
      <source>about {total} of {machine}: replay {replay}, learning {learning}, games {playing}, program {program}</source>
      <translation>约 {total}，本机共 {machine}：回放 {replay}，学习 {learning}，对局 {playing}，程序 {program}</translation>
    </message>
    <message>
      <source>{time} in all, as set; an iteration: {unknown}</source>
      <translation>总共 {time}（按设置）；每轮：{unknown}</translation>
    </message>
    <message>
      <source>about {total} of {machine}: replay {replay}, games {playing}, program {program}</source>
      <translation>约 {total}，本机共 {machine}：回放 {replay}，对局 {playing}，程序 {program}</translation>
    </message>
    <message>
      <source>about {learning} of {memory} for learning, and what CUDA itself takes ({name})</source>
      <translation>学习约 {learning}，共 {memory}，另加 CUDA 自身所需（{name}）</translation>
    </message>
    <message>
      <source>as measured in “{name}”</source>
      <translation>据“{name}”实测</translation>
    </message>
    <message>
      <source>more than this machine has</source>
      <translation>超出本机内存</translation>
    </message>
    <message>
      <source>about {time} an iteration</source>
      <translation>每轮约 {time}</translation>
    </message>
    <message>
      <source>scaled from “{name}” (another {others})</source>
      <translation>由“{name}”换算（{others}不同）</translation>
    </message>
    <message>
      <source>{time} in all, as set: about {count} iterations</source>
      <translation>总共 {time}（按设置）：约 {count} 轮</translation>
    </message>
    <message>
      <source>about {time} in all: {count} iterations</source>
      <translation>总共约 {time}：{count} 轮</translation>
    </message>
    <message>
      <source>the run needs a name</source>
      <translation>训练需要名称</translation>
    </message>
    <message>
      <source>“{name}” cannot be the name of a folder</source>
      <translation>“{name}”不能作为文件夹名</translation>
    </message>
    <message>
      <source>there is a run “{name}” already</source>
      <translation>已有名为“{name}”的训练</translation>
    </message>
    <message>
      <source>{path!r} is not the folder of a training run; it would hold {run_toml} or {reports}</source>
      <translation>{path!r} 不是训练文件夹；其中应有 {run_toml} 或 {reports}</translation>
    </message>
    <message>
      <source>minutes reached</source>
      <translation>分钟数已到</translation>
    </message>
    <message>
      <source>iterations done</source>
      <translation>轮数已满</translation>
    </message>
    <message>
      <source>evaluations done</source>
      <translation>已完成评估次数</translation>
    </message>
    <message>
      <source>not started</source>
      <translation>未开始</translation>
    </message>
    <message>
      <source>its process has ended</source>
      <translation>其进程已结束</translation>
    </message>
    <message>
      <source>it gave no reason</source>
      <translation>未说明原因</translation>
    </message>
    <message>
      <source>not running</source>
      <translation>未运行</translation>
    </message>
    <message>
      <source>{how}; its last line is “{log}”</source>
      <translation>{how}；最后一行为“{log}”</translation>
    </message>
    <message>
      <source>running</source>
      <translation>运行中</translation>
    </message>
    <message>
      <source>its folder is not there any more</source>
      <translation>它的文件夹已不在原处</translation>
    </message>
    <message>
      <source>stopped</source>
      <translation>已停止</translation>
    </message>
    <message>
      <source>not known: {file} cannot be read ({error})</source>
      <translation>未知：无法读取 {file}（{error}）</translation>
    </message>
    <message>
      <source>ending</source>
      <translation>正在结束</translation>
    </message>
    <message>
      <source>starting</source>
      <translation>正在启动</translation>
    </message>
    <message>
      <source>died: {reason}</source>
      <translation>异常终止：{reason}</translation>
    </message>
    <message>
      <source>its process was killed by signal {exit_code}</source>
      <translation>其进程被信号 {exit_code} 终止</translation>
    </message>
    <message>
      <source>its process ended with code {exit_code}</source>
      <translation>其进程以代码 {exit_code} 结束</translation>
    </message>
    <message>
      <source>{words} · no response for {silent_s:.0f} min</source>
      <translation>{words} · 已有 {silent_s:.0f} 分钟没有响应</translation>
    </message>
    <message>
      <source>ended: {reason}</source>
      <translation>已结束：{reason}</translation>
    </message>
    <message>
      <source>stopped: {reason}</source>
      <translation>已停止：{reason}</translation>
    </message>
    <message>
      <source>win</source>
      <translation>胜</translation>
    </message>
    <message>
      <source>loss</source>
      <translation>负</translation>
    </message>
    <message>
      <source>What was learned here, as heat. A click opens the game at this position.</source>
      <translation>热度是在此学到的内容。点击可打开这盘棋并转到此局面。</translation>
    </message>
    <message>
      <source>Where did it learn that?</source>
      <translation>它从哪里学到的？</translation>
    </message>
    <message>
      <source>For a mistake of the newest net in this position: the samples of the run that pushed it there</source>
      <translation>针对最新网络在此局面的错误：把它推向该错误的训练样本</translation>
    </message>
    <message>
      <source>The mistake</source>
      <translation>错误着法</translation>
    </message>
    <message>
      <source>The better move</source>
      <translation>更好的着法</translation>
    </message>
    <message>
      <source>Leave these out</source>
      <translation>排除这些样本</translation>
    </message>
    <message>
      <source>From its next start on the run learns no more from any of these samples</source>
      <translation>下次启动后，训练不再从这些样本中学习</translation>
    </message>
    <message>
      <source>Learn from all again</source>
      <translation>重新从全部样本学习</translation>
    </message>
    <message>
      <source>From its next start on the run learns from the samples that were left out, too</source>
      <translation>下次启动后，训练也从已排除的样本中学习</translation>
    </message>
    <message>
      <source>From its next start on the run starts some of its games from {number} positions: this one, and neighbours two quiet moves further on that its newest net gets wrong too</source>
      <translation>从下次启动起，训练让一部分对局从 {number} 个局面开始：这个局面，以及再走两步平静着法、最新网络也会弄错的邻近局面</translation>
    </message>
    <message>
      <source>None of {looked_at} samples pushed from {right} to {wrong}.</source>
      <translation>{looked_at} 个样本中没有一个把网络从 {right} 推向 {wrong}。</translation>
    </message>
    <message>
      <source>{count} of {looked_at} samples make {share} of all that pushed from {right} to {wrong}. The strongest:</source>
      <translation>{looked_at} 个样本中的 {count} 个占从 {right} 推向 {wrong} 的全部推力的 {share}。最强的几个：</translation>
    </message>
    <message>
      <source>instead of</source>
      <translation>而不是</translation>
    </message>
    <message>
      <source>the net's first move</source>
      <translation>网络的首选着法</translation>
    </message>
    <message>
      <source>the result that it expects</source>
      <translation>它预期的结果</translation>
    </message>
    <message>
      <source>the exact result</source>
      <translation>精确的结果</translation>
    </message>
    <message>
      <source>asking the run's kept nets about its samples, which takes up to a minute</source>
      <translation>正在用已保存的网络检查训练样本，最多约一分钟</translation>
    </message>
    <message>
      <source>From its next start on the run starts no games from these {number} positions</source>
      <translation>从下次启动起，训练不再让对局从这 {number} 个局面开始</translation>
    </message>
    <message>
      <source>From its next start on the run learns from all samples but {number}</source>
      <translation>下次启动后，训练从除 {number} 个以外的全部样本中学习</translation>
    </message>
    <message>
      <source>From its next start on the run learns from all its samples again</source>
      <translation>下次启动后，训练重新从其全部样本中学习</translation>
    </message>
    <message>
      <source>the exact solver's move</source>
      <translation>精确求解器的着法</translation>
    </message>
    <message>
      <source>Add them no more</source>
      <translation>不再补充</translation>
    </message>
    <message>
      <source>Add such positions</source>
      <translation>补充这类局面</translation>
    </message>
    <message>
      <source>From its next start on the run starts some of its games from {number} positions</source>
      <translation>从下次启动起，训练让一部分对局从 {number} 个局面开始</translation>
    </message>
    <message>
      <source>From its next start on the run starts its games from no given position</source>
      <translation>从下次启动起，训练的对局不再从指定的局面开始</translation>
    </message>
    <message>
      <source>the command ended with {returncode}</source>
      <translation>命令以 {returncode} 结束</translation>
    </message>
    <message>
      <source>The samples cannot be left out: {error}</source>
      <translation>无法排除这些样本：{error}</translation>
    </message>
    <message>
      <source>The positions cannot be changed: {error}</source>
      <translation>无法更改这些局面：{error}</translation>
    </message>
    <message>
      <source>iteration {iteration}, game {game}
{share} of the push</source>
      <translation>第 {iteration} 次迭代，第 {game} 局
占推力的 {share}</translation>
    </message>
    <message>
      <source>For about an hour on a small machine</source>
      <translation>小型机器约一小时</translation>
    </message>
    <message>
      <source>For a night</source>
      <translation>一夜</translation>
    </message>
    <message>
      <source>For days and a GPU</source>
      <translation>数天加 GPU</translation>
    </message>
    <message>
      <source>Game to learn</source>
      <translation>棋类</translation>
    </message>
    <message>
      <source>Name of the run</source>
      <translation>训练的名称</translation>
    </message>
    <message>
      <source>Start training</source>
      <translation>开始训练</translation>
    </message>
    <message>
      <source>Back</source>
      <translation>返回</translation>
    </message>
    <message>
      <source>Back to the preset</source>
      <translation>恢复预设</translation>
    </message>
    <message>
      <source>Preset</source>
      <translation>预设</translation>
    </message>
    <message>
      <source>Another game…</source>
      <translation>其他游戏…</translation>
    </message>
    <message>
      <source>New run…</source>
      <translation>新建训练…</translation>
    </message>
    <message>
      <source>to correct: {links}</source>
      <translation>有待更正：{links}</translation>
    </message>
    <message>
      <source>all positions</source>
      <translation>全部局面</translation>
    </message>
    <message>
      <source>random</source>
      <translation>随机</translation>
    </message>
    <message>
      <source>fours</source>
      <translation>冲四</translation>
    </message>
    <message>
      <source>endgames</source>
      <translation>残局</translation>
    </message>
    <message>
      <source>half full</source>
      <translation>半满</translation>
    </message>
    <message>
      <source>nearly full</source>
      <translation>近满</translation>
    </message>
    <message>
      <source>Policy loss</source>
      <translation>策略损失</translation>
    </message>
    <message>
      <source>nats</source>
      <translation>奈特</translation>
    </message>
    <message>
      <source>Cross-entropy of the net's policy to the search's. It cannot fall below the entropy of the targets.</source>
      <translation>网络策略对搜索策略的交叉熵。不会低于目标的熵。</translation>
    </message>
    <message>
      <source>Value loss</source>
      <translation>价值损失</translation>
    </message>
    <message>
      <source>Cross-entropy to win, draw, loss (nats), or (z − v)², as the run's settings say.</source>
      <translation>对胜、和、负的交叉熵（奈特），或 (z − v)²，依本次训练的设置。</translation>
    </message>
    <message>
      <source>Elo on the ladder</source>
      <translation>天梯 Elo</translation>
    </message>
    <message>
      <source>Elo, 95 %</source>
      <translation>Elo，95 %</translation>
    </message>
    <message>
      <source>Every kept net against fixed players and each other; random play is 0. A click chooses the net.</source>
      <translation>每个保留的网络与固定棋手及彼此对战；随机走子为 0。单击可选择网络。</translation>
    </message>
    <message>
      <source>Best moves found</source>
      <translation>找到的最佳着法</translation>
    </message>
    <message>
      <source>% of exact sets</source>
      <translation>精确题集的 %</translation>
    </message>
    <message>
      <source>Share of positions with known answers in which the net's most probable move is a best one.</source>
      <translation>在有已知答案的局面中，网络概率最高的着法为最佳着法的比例。</translation>
    </message>
    <message>
      <source>Results predicted</source>
      <translation>预测对的结果</translation>
    </message>
    <message>
      <source>Share of positions with known answers in which the net's value predicts the win, draw or loss.</source>
      <translation>在有已知答案的局面中，网络价值正确预测胜、和、负的比例。</translation>
    </message>
    <message>
      <source>Entropy and KL</source>
      <translation>熵与 KL</translation>
    </message>
    <message>
      <source>Entropy of the net's policy, and how far the search departs from it: KL(π ‖ P).</source>
      <translation>网络策略的熵，以及搜索偏离它的程度：KL(π ‖ P)。</translation>
    </message>
    <message>
      <source>Calibration of the value</source>
      <translation>价值的校准</translation>
    </message>
    <message>
      <source>newest iteration</source>
      <translation>最新一轮</translation>
    </message>
    <message>
      <source>Positions by the value predicted, against the mean of how they ended; on the diagonal it is right. A dot's size is the number of positions.</source>
      <translation>按预测价值分组的局面，与其实际结果的均值对照；落在对角线上即准确。圆点大小为局面数。</translation>
    </message>
    <message>
      <source>Positions</source>
      <translation>局面数</translation>
    </message>
    <message>
      <source>per second</source>
      <translation>每秒</translation>
    </message>
    <message>
      <source>Moves searched in self-play, and positions to learn from among them.</source>
      <translation>自我对弈中搜索的着法数，以及其中用于学习的局面数。</translation>
    </message>
    <message>
      <source>Games finished</source>
      <translation>完成的对局</translation>
    </message>
    <message>
      <source>Evaluations</source>
      <translation>评估次数</translation>
    </message>
    <message>
      <source>Positions valued by the net in self-play, and what the evaluator alone does at that batch size in as many threads, each as fast as the one that the run's heading names.</source>
      <translation>自我对弈中网络评估的局面数，以及评估器单独以该批量、用同样多的线程所能达到的数目，每个线程与标题所示的一样快。</translation>
    </message>
    <message>
      <source>Net utilisation</source>
      <translation>网络利用率</translation>
    </message>
    <message>
      <source>% of self-play</source>
      <translation>自我对弈的 %</translation>
    </message>
    <message>
      <source>Share of self-play time spent computing the net; the search takes the rest.</source>
      <translation>自我对弈时间中用于计算网络的占比；其余用于搜索。</translation>
    </message>
    <message>
      <source>Results of self-play</source>
      <translation>自我对弈的结果</translation>
    </message>
    <message>
      <source>Share of the games that the first player won, that were drawn, resigned, or ended by a proof.</source>
      <translation>先手获胜、和棋、认输或由证明结束的对局占比。</translation>
    </message>
    <message>
      <source>Length of the games</source>
      <translation>对局长度</translation>
    </message>
    <message>
      <source>Mean over the games of the iteration, openings included.</source>
      <translation>本轮各局的平均值，含开局。</translation>
    </message>
    <message>
      <source>Age of the replay window</source>
      <translation>回放窗口的年龄</translation>
    </message>
    <message>
      <source>iterations</source>
      <translation>轮</translation>
    </message>
    <message>
      <source>Iterations since the oldest position in the replay window was made.</source>
      <translation>自回放窗口中最旧的局面产生以来的轮数。</translation>
    </message>
    <message>
      <source>Learning rate</source>
      <translation>学习率</translation>
    </message>
    <message>
      <source>Weight penalty</source>
      <translation>权重惩罚</translation>
    </message>
    <message>
      <source>The term of the loss that weight decay keeps small.</source>
      <translation>权重衰减所抑制的损失项。</translation>
    </message>
    <message>
      <source>MB</source>
      <translation>MB</translation>
    </message>
    <message>
      <source>Losses on new positions</source>
      <translation>新局面上的损失</translation>
    </message>
    <message>
      <source>Of the averaged net on the newest positions before it learns from them. Well above the losses of learning: it remembers positions rather than learns the game.</source>
      <translation>平均网络在最新局面上、学习它们之前的损失。若远高于学习时的损失，说明网络在记忆局面，而不是学会下棋。</translation>
    </message>
    <message>
      <source>Score loss</source>
      <translation>目差损失</translation>
    </message>
    <message>
      <source>−ln of the density that the net gives to the final lead in points, in games that points decide.</source>
      <translation>网络给最终领先目数的概率密度的 −ln；用于以目数定胜负的棋。</translation>
    </message>
    <message>
      <source>Ownership loss</source>
      <translation>归属损失</translation>
    </message>
    <message>
      <source>Cross-entropy of the net's ownership to the final owner of each point, mean over the board.</source>
      <translation>网络给出的归属与每一点最终归属的交叉熵，对棋盘取平均。</translation>
    </message>
    <message>
      <source>Wrong resignations</source>
      <translation>误认输</translation>
    </message>
    <message>
      <source>Of the games that were played to the end although a side would have resigned: the share that it did not lose.</source>
      <translation>在某方本应认输但仍下完的对局中，该方并未输掉的比例。</translation>
    </message>
    <message>
      <source>Length of the games by board size</source>
      <translation>各棋盘大小的对局长度</translation>
    </message>
    <message>
      <source>First player's wins by board size</source>
      <translation>各棋盘大小的先手胜率</translation>
    </message>
    <message>
      <source>Share of the games on each board; near 50 the komi of that size is fair.</source>
      <translation>每种棋盘上的对局中所占的比例；接近 50 时，该大小的贴目是公平的。</translation>
    </message>
    <message>
      <source>step {steps}</source>
      <translation>第 {steps} 步</translation>
    </message>
    <message>
      <source>iteration {steps}</source>
      <translation>第 {steps} 轮</translation>
    </message>
    <message>
      <source>{steps} samples</source>
      <translation>{steps} 个样本</translation>
    </message>
    <message>
      <source>mean error</source>
      <translation>平均误差</translation>
    </message>
    <message>
      <source>mean loss</source>
      <translation>平均损失</translation>
    </message>
    <message>
      <source>floor: target entropy</source>
      <translation>下限：目标的熵</translation>
    </message>
    <message>
      <source>entropy of P</source>
      <translation>P 的熵</translation>
    </message>
    <message>
      <source>KL(π ‖ P)</source>
      <translation>KL(π ‖ P)</translation>
    </message>
    <message>
      <source>searched</source>
      <translation>已搜索</translation>
    </message>
    <message>
      <source>to learn from</source>
      <translation>用于学习</translation>
    </message>
    <message>
      <source>games/s</source>
      <translation>局/秒</translation>
    </message>
    <message>
      <source>in self-play</source>
      <translation>自我对弈中</translation>
    </message>
    <message>
      <source>alone, all threads</source>
      <translation>单独，全部线程</translation>
    </message>
    <message>
      <source>net busy</source>
      <translation>网络计算中</translation>
    </message>
    <message>
      <source>first wins</source>
      <translation>先手获胜</translation>
    </message>
    <message>
      <source>draws</source>
      <translation>和棋数</translation>
    </message>
    <message>
      <source>resigned</source>
      <translation>认输</translation>
    </message>
    <message>
      <source>mean</source>
      <translation>均值</translation>
    </message>
    <message>
      <source>oldest</source>
      <translation>最旧</translation>
    </message>
    <message>
      <source>rate</source>
      <translation>学习率值</translation>
    </message>
    <message>
      <source>penalty</source>
      <translation>惩罚</translation>
    </message>
    <message>
      <source>resident</source>
      <translation>驻留</translation>
    </message>
    <message>
      <source>of the policy</source>
      <translation>策略的损失</translation>
    </message>
    <message>
      <source>of the value</source>
      <translation>价值的损失</translation>
    </message>
    <message>
      <source>wrong</source>
      <translation>其中误认的</translation>
    </message>
    <message>
      <source>rollouts:{simulations}</source>
      <translation>随机走子:{simulations}</translation>
    </message>
    <message>
      <source>{elo}  ({low} to {high})</source>
      <translation>{elo}（{low} 至 {high}）</translation>
    </message>
    <message>
      <source>As it is, fp32…</source>
      <translation>原样，fp32…</translation>
    </message>
    <message>
      <source>For processors, int8…</source>
      <translation>用于处理器，int8…</translation>
    </message>
    <message>
      <source>For GPUs, fp16…</source>
      <translation>用于 GPU，fp16…</translation>
    </message>
    <message>
      <source>Archive</source>
      <translation>归档</translation>
    </message>
    <message>
      <source>Bring back from the archive</source>
      <translation>从归档中取回</translation>
    </message>
    <message>
      <source>Leave the run out of the list; nothing of it is moved or deleted</source>
      <translation>不在列表中显示此训练；不移动也不删除任何文件</translation>
    </message>
    <message>
      <source>Training is a process of its own. The window finds it again when you open it. A run that is stopped keeps what it has learned and can be resumed.</source>
      <translation>训练是独立的进程。再次打开窗口时会重新找到它。停止的训练保留已学到的内容，并可继续。</translation>
    </message>
    <message>
      <source>Kept in the run's folder and shown with it; empty is none.</source>
      <translation>保存在训练的文件夹中，并随训练显示；留空即没有备注。</translation>
    </message>
    <message>
      <source>Training goes on</source>
      <translation>训练继续进行</translation>
    </message>
    <message>
      <source>“{name}” is archived; the button below the list shows archived runs.</source>
      <translation>“{name}”已归档；列表下方的按钮可显示已归档的训练。</translation>
    </message>
    <message>
      <source>The net was written</source>
      <translation>网络已写入</translation>
    </message>
    <message>
      <source>{n} runs go on training when this window is closed.</source>
      <translation>关闭此窗口后，有 {n} 次训练会继续进行。</translation>
    </message>
    <message>
      <source>Go on training</source>
      <translation>继续训练</translation>
    </message>
    <message>
      <source>Stop after this iteration</source>
      <translation>本轮结束后停止</translation>
    </message>
    <message>
      <source>Stop now</source>
      <translation>立即停止</translation>
    </message>
    <message>
      <source>million evaluations</source>
      <translation>百万次评估</translation>
    </message>
    <message>
      <source>Resume</source>
      <translation>继续</translation>
    </message>
    <message>
      <source>Export the net</source>
      <translation>导出网络</translation>
    </message>
    <message>
      <source>Nets (*.onnx)</source>
      <translation>网络 (*.onnx)</translation>
    </message>
    <message>
      <source>{name} is being measured…</source>
      <translation>正在测量 {name}…</translation>
    </message>
    <message>
      <source>The folder of the run gets this name.</source>
      <translation>训练的文件夹将改为此名称。</translation>
    </message>
    <message>
      <source>Move to the trash</source>
      <translation>移到回收站</translation>
    </message>
    <message>
      <source>Delete</source>
      <translation>删除</translation>
    </message>
    <message>
      <source>“{name}” was deleted.</source>
      <translation>“{name}”已删除。</translation>
    </message>
    <message>
      <source>{time} of training</source>
      <translation>训练 {time}</translation>
    </message>
    <message>
      <source>iterations: {count}</source>
      <translation>轮数：{count}</translation>
    </message>
    <message>
      <source>kept nets: {count}</source>
      <translation>保留的网络：{count}</translation>
    </message>
    <message>
      <source>files: {count}</source>
      <translation>文件：{count}</translation>
    </message>
    <message>
      <source>the export ended with {returncode}</source>
      <translation>导出以 {returncode} 结束</translation>
    </message>
    <message>
      <source>Note…</source>
      <translation>备注…</translation>
    </message>
    <message>
      <source>the note has {count} characters; it may have {most}</source>
      <translation>备注有 {count} 个字符；最多可有 {most} 个</translation>
    </message>
    <message>
      <source>“{name}” ended after {done} {unit}. New limit:</source>
      <translation>“{name}”在 {done} {unit}后结束。新的上限：</translation>
    </message>
    <message>
      <source>Rename…</source>
      <translation>重命名…</translation>
    </message>
    <message>
      <source>Show the folder</source>
      <translation>显示文件夹</translation>
    </message>
    <message>
      <source>Delete…</source>
      <translation>删除…</translation>
    </message>
    <message>
      <source>“{name}” is training; stop it first</source>
      <translation>“{name}”正在训练；请先停止</translation>
    </message>
    <message>
      <source>No program opens folders here; it is {path}</source>
      <translation>此处没有可打开文件夹的程序；位置为 {path}</translation>
    </message>
    <message>
      <source>Move the run “{name}” to the trash?</source>
      <translation>将训练“{name}”移到回收站？</translation>
    </message>
    <message>
      <source>“{name}” is in the trash now.</source>
      <translation>“{name}”已在回收站中。</translation>
    </message>
    <message>
      <source>“{name}” cannot be moved to a trash. Delete it for good?</source>
      <translation>“{name}”无法移到回收站。要永久删除吗？</translation>
    </message>
    <message>
      <source>Note on “{name}”</source>
      <translation>“{name}”的备注</translation>
    </message>
    <message>
      <source>The run cannot be started: {error}</source>
      <translation>训练无法启动：{error}</translation>
    </message>
    <message>
      <source>Rename the run</source>
      <translation>重命名训练</translation>
    </message>
    <message>
      <source>Rename</source>
      <translation>重命名</translation>
    </message>
    <message>
      <source>This cannot be undone. It is {path}</source>
      <translation>此操作无法撤销。位置为 {path}</translation>
    </message>
    <message>
      <source>The folder also holds what is no part of a run and goes with it: {names}</source>
      <translation>文件夹中还有不属于训练的内容，会一并删除：{names}</translation>
    </message>
    <message>
      <source>Delete “{name}”</source>
      <translation>删除“{name}”</translation>
    </message>
    <message>
      <source>Training runs</source>
      <translation>训练列表</translation>
    </message>
    <message>
      <source>Open a run folder…</source>
      <translation>打开训练文件夹…</translation>
    </message>
    <message>
      <source>To compare runs, click their rings in the list.</source>
      <translation>点击列表中各训练的圆圈，即可相互比较。</translation>
    </message>
    <message>
      <source>no runs yet</source>
      <translation>还没有训练</translation>
    </message>
    <message>
      <source>{words} · {command} requested</source>
      <translation>{words} · 已请求{command}</translation>
    </message>
    <message>
      <source>archived · {words}</source>
      <translation>已归档 · {words}</translation>
    </message>
    <message>
      <source>kept in the charts</source>
      <translation>留在图表中</translation>
    </message>
    <message>
      <source>Archived: {count}</source>
      <translation>已归档：{count}</translation>
    </message>
    <message>
      <source>{file} has settings that cannot be used: {names}.</source>
      <translation>{file} 中有无法使用的设置：{names}。</translation>
    </message>
    <message>
      <source>{lines} lines of {file} cannot be read and are left out.</source>
      <translation>{file} 中有 {lines} 行无法读取，已略过。</translation>
    </message>
    <message>
      <source>{minutes:.0f} h {minutes_2:02.0f} min</source>
      <translation>{minutes:.0f} 小时 {minutes_2:02.0f} 分</translation>
    </message>
    <message>
      <source>{minutes} min</source>
      <translation>{minutes} 分钟</translation>
    </message>
    <message>
      <source>The folder {path!r} is not there any more.</source>
      <translation>文件夹 {path!r} 已不存在。</translation>
    </message>
    <message>
      <source>{reports} in this folder holds no reports of a training run.</source>
      <translation>此文件夹中的 {reports} 不含训练报告。</translation>
    </message>
    <message>
      <source>Pause the run after its current work; its process keeps running</source>
      <translation>完成当前工作后暂停；进程保留</translation>
    </message>
    <message>
      <source>Save a checkpoint and end the process; Resume continues from there</source>
      <translation>保存检查点并结束进程；“继续”可从该处恢复</translation>
    </message>
    <message>
      <source>Up: positions a second. Down: how many steps old the nets of the games are. A bar for each actor.</source>
      <translation>向上：每秒局面数。向下：对局所用网络落后的步数。每个执行者一根柱。</translation>
    </message>
    <message>
      <source>Actor</source>
      <translation>执行者</translation>
    </message>
    <message>
      <source>Threads</source>
      <translation>线程</translation>
    </message>
    <message>
      <source>Positions/s</source>
      <translation>局面/秒</translation>
    </message>
    <message>
      <source>Net, steps old</source>
      <translation>网络落后步数</translation>
    </message>
    <message>
      <source>More</source>
      <translation>更多</translation>
    </message>
    <message>
      <source>Note, name, archive, folder, deletion (also a right click in the list)</source>
      <translation>备注、名称、归档、文件夹、删除（也可在列表中右键单击）</translation>
    </message>
    <message>
      <source>over</source>
      <translation>横轴</translation>
    </message>
    <message>
      <source>{bouts} bouts on the ladder</source>
      <translation>天梯 {bouts} 场</translation>
    </message>
    <message>
      <source>Cluster {address}</source>
      <translation>集群 {address}</translation>
    </message>
    <message>
      <source>machines: {count}</source>
      <translation>机器：{count}</translation>
    </message>
    <message>
      <source>actors: {count}</source>
      <translation>执行者：{count}</translation>
    </message>
    <message>
      <source>{rate} positions/s</source>
      <translation>{rate} 局面/秒</translation>
    </message>
    <message>
      <source>Continue training</source>
      <translation>继续训练进程</translation>
    </message>
    <message>
      <source>iteration {steps} of {all}</source>
      <translation>第 {steps} / {all} 轮</translation>
    </message>
    <message>
      <source>The run has not started. There are figures after its first iteration.</source>
      <translation>训练尚未开始。第一轮结束后才有数据。</translation>
    </message>
    <message>
      <source>not measured in this run</source>
      <translation>本次训练未测量</translation>
    </message>
    <message>
      <source>nets {steps} steps old</source>
      <translation>网络平均落后 {steps} 步</translation>
    </message>
    <message>
      <source>restarts: {count}</source>
      <translation>重启：{count}</translation>
    </message>
    <message>
      <source>dropped as too old: {count}</source>
      <translation>因过旧丢弃：{count}</translation>
    </message>
    <message>
      <source>… and {count} more actors</source>
      <translation>… 另有 {count} 个执行者</translation>
    </message>
    <message>
      <source>There are figures after the first iteration ({words}).</source>
      <translation>第一轮结束后才有数据（{words}）。</translation>
    </message>
    <message>
      <source>pausing…</source>
      <translation>正在暂停…</translation>
    </message>
    <message>
      <source>resuming…</source>
      <translation>正在继续…</translation>
    </message>
    <message>
      <source>ending after this iteration…</source>
      <translation>本轮结束后停止…</translation>
    </message>
    <message>
      <source>stopping…</source>
      <translation>正在停止…</translation>
    </message>
    <message>
      <source>{games_total} games</source>
      <translation>{games_total} 局</translation>
    </message>
    <message>
      <source>{time} of {all}</source>
      <translation>{time}，共 {all}</translation>
    </message>
    <message>
      <source>Resume…</source>
      <translation>继续…</translation>
    </message>
    <message>
      <source>The run has no figures: its first iteration did not end ({words}).</source>
      <translation>训练没有数据：第一轮没有结束（{words}）。</translation>
    </message>
    <message>
      <source>The target: the policy found by the search.</source>
      <translation>目标：搜索得出的策略。</translation>
    </message>
    <message>
      <source>The policy of the run's newest kept net.</source>
      <translation>本次训练最新保留网络的策略。</translation>
    </message>
    <message>
      <source>Result z</source>
      <translation>结果 z</translation>
    </message>
    <message>
      <source>How the game ended, for the side to move here.</source>
      <translation>对局如何结束，以此处轮走方为准。</translation>
    </message>
    <message>
      <source>How far the target is from the net's policy, in nats.</source>
      <translation>目标与网络策略的偏离，以奈特计。</translation>
    </message>
    <message>
      <source>The net whose policy is compared with the target: the run's newest kept net.</source>
      <translation>与目标比较的策略所属的网络：本次训练最新保留的网络。</translation>
    </message>
    <message>
      <source>Weight</source>
      <translation>权重</translation>
    </message>
    <message>
      <source>Made by</source>
      <translation>来源</translation>
    </message>
    <message>
      <source>Game</source>
      <translation>本局</translation>
    </message>
    <message>
      <source>{plies} plies; {ending}</source>
      <translation>{plies} 手；{ending}</translation>
    </message>
    <message>
      <source>Iteration</source>
      <translation>轮次</translation>
    </message>
    <message>
      <source>Sample</source>
      <translation>样本序号</translation>
    </message>
    <message>
      <source>Open its game</source>
      <translation>打开其对局</translation>
    </message>
    <message>
      <source>Any other</source>
      <translation>换一个</translation>
    </message>
    <message>
      <source>Target and policy</source>
      <translation>目标与策略</translation>
    </message>
    <message>
      <source>Input planes</source>
      <translation>输入平面</translation>
    </message>
    <message>
      <source>There are no samples yet. The first iteration produces them.</source>
      <translation>尚无样本。第一轮会产生样本。</translation>
    </message>
    <message>
      <source>{plies} plies, the first {opening} at random; {ending}</source>
      <translation>{plies} 手，前 {opening} 手随机；{ending}</translation>
    </message>
    <message>
      <source>its games were not kept</source>
      <translation>其对局未保留</translation>
    </message>
    <message>
      <source>of {shard}</source>
      <translation>共 {shard}</translation>
    </message>
    <message>
      <source>full search, move {searched} of the game</source>
      <translation>完整搜索，对局第 {searched} 手</translation>
    </message>
    <message>
      <source>of step {net_step}</source>
      <translation>第 {net_step} 步的网络</translation>
    </message>
    <message>
      <source>{game}, to be played out</source>
      <translation>{game}，须下至终局</translation>
    </message>
    <message>
      <source>Sample {number} cannot be shown: {error}</source>
      <translation>无法显示第 {number} 个样本：{error}</translation>
    </message>
    <message>
      <source>{player} to move · ply {ply} · heat: π</source>
      <translation>轮到{player}走 · 第 {ply} 手 · 热图：π</translation>
    </message>
    <message>
      <source>{result} for {player} ({value})</source>
      <translation>{player} {result}（{value}）</translation>
    </message>
    <message>
      <source>of the kept net of step {step}</source>
      <translation>取自第 {step} 步保留的网络</translation>
    </message>
    <message>
      <source>Visits: simulations that went through the move.</source>
      <translation>访问次数：经过该着法的模拟次数。</translation>
    </message>
    <message>
      <source>Prior: the net's policy, with the root's noise in a full search.</source>
      <translation>先验概率：网络的策略，完整搜索时含根节点噪声。</translation>
    </message>
    <message>
      <source>Searched value for the side that plays it.</source>
      <translation>搜索价值，以走该着法的一方为准。</translation>
    </message>
    <message>
      <source>after {plies} random plies</source>
      <translation>{plies} 手随机着法之后</translation>
    </message>
    <message>
      <source>Click to open the game on the analysis board</source>
      <translation>单击可在分析棋盘上打开此局</translation>
    </message>
    <message>
      <source>Open in analysis</source>
      <translation>在分析中打开</translation>
    </message>
    <message>
      <source>full search, to learn from</source>
      <translation>完整搜索，用于学习</translation>
    </message>
    <message>
      <source>fast search</source>
      <translation>快速搜索</translation>
    </message>
    <message>
      <source>{players} to move</source>
      <translation>轮到{players}走</translation>
    </message>
    <message>
      <source>ply {ply} · {game}</source>
      <translation>第 {ply} 手 · {game}</translation>
    </message>
    <message>
      <source>Game {id}: {text}, {text_2} {resign}</source>
      <translation>对局 {id}：{text}，{text_2} {resign}</translation>
    </message>
    <message>
      <source>Game {id} · ply {ply} · {game}</source>
      <translation>对局 {id} · 第 {ply} 手 · {game}</translation>
    </message>
    <message>
      <source>{kind} · {visits} visits</source>
      <translation>{kind} · {visits} 次访问</translation>
    </message>
    <message>
      <source>{kind} begins</source>
      <translation>{kind} 开始</translation>
    </message>
    <message>
      <source>auto</source>
      <translation>自动</translation>
    </message>
    <message>
      <source>Dense layers</source>
      <translation>全连接层</translation>
    </message>
    <message>
      <source>Pooling</source>
      <translation>池化</translation>
    </message>
    <message>
      <source>Board</source>
      <translation>棋盘</translation>
    </message>
    <message>
      <source>Processes of their own</source>
      <translation>独立进程</translation>
    </message>
    <message>
      <source>onnxruntime in 8 bits</source>
      <translation>onnxruntime（8 位）</translation>
    </message>
    <message>
      <source>OpenVINO in 16 bits</source>
      <translation>OpenVINO（16 位）</translation>
    </message>
    <message>
      <source>Browse…</source>
      <translation>浏览…</translation>
    </message>
    <message>
      <source>New run with these settings…</source>
      <translation>以这些设置新建训练…</translation>
    </message>
    <message>
      <source>Browse for {setting}</source>
      <translation>浏览：{setting}</translation>
    </message>
    <message>
      <source>Openings (*.txt);;All files (*)</source>
      <translation>开局 (*.txt);;所有文件 (*)</translation>
    </message>
    <message>
      <source>init: {error}</source>
      <translation>init：{error}</translation>
    </message>
    <message>
      <source>The settings of this run are not known: its folder holds no {run_toml}.</source>
      <translation>本次训练的设置未知：其文件夹中没有 {run_toml}。</translation>
    </message>
    <message>
      <source>the file is being read…</source>
      <translation>正在读取文件…</translation>
    </message>
    <message>
      <source>Train a net by letting it play against itself</source>
      <translation>让网络通过自我对弈来训练</translation>
    </message>
    <message>
      <source>Tic-tac-toe takes two minutes to perfect play; Connect Four an hour or two to be strong.</source>
      <translation>井字棋两分钟即可达到完美；四子棋需要一两个小时才能下得强。</translation>
    </message>
    <message>
      <source>At most {runs} runs are compared at once.</source>
      <translation>最多同时比较 {runs} 个训练。</translation>
    </message>
    <message>
      <source>No games are being played: {words}.</source>
      <translation>没有正在进行的对局：{words}。</translation>
    </message>
    <message>
      <source>The initial position, because the analysis board shows a game other than {title}</source>
      <translation>初始局面：分析棋盘上的不是{title}</translation>
    </message>
    <message>
      <source>The position on the analysis board, {place}</source>
      <translation>分析棋盘上的局面，{place}</translation>
    </message>
    <message>
      <source>Train {game} now</source>
      <translation>现在训练{game}</translation>
    </message>
    <message>
      <source>Before</source>
      <translation>之前</translation>
    </message>
    <message>
      <source>After</source>
      <translation>之后</translation>
    </message>
    <message>
      <source>(position searched)</source>
      <translation>（被搜索的局面）</translation>
    </message>
    <message>
      <source>A double click asks for this move wherever it occurs</source>
      <translation>双击查询该着法在树中的各处</translation>
    </message>
    <message>
      <source>How often it occurs there in the tree</source>
      <translation>它在树中出现在那里的次数</translation>
    </message>
    <message>
      <source>Visits of these nodes</source>
      <translation>这些节点的访问次数</translation>
    </message>
    <message>
      <source>Share of the visits listed, in percent.</source>
      <translation>在所列访问中的占比（百分数）。</translation>
    </message>
    <message>
      <source>Their mean value for the player named beside the answer</source>
      <translation>它们的平均价值，以答案旁所写的一方为准</translation>
    </message>
    <message>
      <source>The moves before and after these nodes</source>
      <translation>这些节点之前和之后的着法</translation>
    </message>
    <message>
      <source>Answer</source>
      <translation>答案</translation>
    </message>
    <message>
      <source>{n} nodes</source>
      <translation>{n} 个节点</translation>
    </message>
    <message>
      <source>{nodes} · {share} of the visits · Q {q} for {player}</source>
      <translation>{nodes} · 占访问的 {share} · {player}的 Q {q}</translation>
    </message>
    <message>
      <source>played by {player}: {sums}</source>
      <translation>由{player}走：{sums}</translation>
    </message>
    <message>
      <source>the game is over here: there is no tree to draw</source>
      <translation>此处对局已结束：没有可绘制的树</translation>
    </message>
    <message>
      <source>A row for each ply; each node's children lie below it, most visited first, as wide as their share of its visits. What is free at the right are the simulations that ended at the node itself. Upright lines: moves too narrow to be drawn, in their mean colour; click to zoom in. Hatched: proved. Red: principal variation.</source>
      <translation>每一层一行；子节点在父节点下方，访问多的在前，宽度为其在父节点访问中的占比。右侧空出的部分是止于该节点本身的模拟。竖线：窄得无法画出的着法，用其平均颜色；点击可放大。斜线：已证明。红色：主要变例。</translation>
    </message>
    <message>
      <source>Width: share of visits</source>
      <translation>宽度：访问占比</translation>
    </message>
    <message>
      <source>moves too narrow to draw</source>
      <translation>窄得无法画出的着法</translation>
    </message>
    <message>
      <source>ended there</source>
      <translation>止于此处</translation>
    </message>
    <message>
      <source>Colour by the searched value Q</source>
      <translation>按搜索得到的价值 Q 着色</translation>
    </message>
    <message>
      <source>Colour by the change of Q against the parent: who gained by the move</source>
      <translation>按 Q 相对父节点的变化着色：哪一方因这着得益</translation>
    </message>
    <message>
      <source>Colour by the net's value V less the searched Q: where the search overturned the net</source>
      <translation>按网络的价值 V 减去搜索的 Q 着色：搜索在何处推翻了网络</translation>
    </message>
    <message>
      <source>Colour by what is proved</source>
      <translation>按已证明的结果着色</translation>
    </message>
    <message>
      <source>Colour: the searched value Q for {player}, the same player in every row.</source>
      <translation>颜色：以{player}为准的搜索价值 Q，每一行都是同一方。</translation>
    </message>
    <message>
      <source>Colour: by how much Q of a node is better for {player} than that of its parent.</source>
      <translation>颜色：节点的 Q 对{player}比父节点好多少。</translation>
    </message>
    <message>
      <source>Colour: by how much the net's own value is higher for {player} than what the search found.</source>
      <translation>颜色：以{player}为准，网络自己的价值比搜索结果高多少。</translation>
    </message>
    <message>
      <source>Colour: what is proved for {player}; grey: nothing.</source>
      <translation>颜色：以{player}为准已证明的结果；灰色：未证明。</translation>
    </message>
    <message>
      <source>Q for {player}</source>
      <translation>{player}的 Q</translation>
    </message>
    <message>
      <source>loses</source>
      <translation>负方</translation>
    </message>
    <message>
      <source>wins</source>
      <translation>胜方</translation>
    </message>
    <message>
      <source>Q against the parent's, for {player}</source>
      <translation>相对父节点的 Q，以{player}为准</translation>
    </message>
    <message>
      <source>worse by 0.5</source>
      <translation>差 0.5</translation>
    </message>
    <message>
      <source>better by 0.5</source>
      <translation>好 0.5</translation>
    </message>
    <message>
      <source>V of the net less Q, for {player}</source>
      <translation>网络的 V 减 Q，以{player}为准</translation>
    </message>
    <message>
      <source>net 0.5 too low</source>
      <translation>网络低估 0.5</translation>
    </message>
    <message>
      <source>net 0.5 too high</source>
      <translation>网络高估 0.5</translation>
    </message>
    <message>
      <source>Proved for {player}</source>
      <translation>以{player}为准已证明</translation>
    </message>
    <message>
      <source>principal variation</source>
      <translation>主要变例</translation>
    </message>
    <message>
      <source>click selects · double click plays there</source>
      <translation>单击选中 · 双击走到那里</translation>
    </message>
    <message>
      <source>{line} · not among the {picture} most visited nodes</source>
      <translation>{line} · 不在访问最多的 {picture} 个节点之中</translation>
    </message>
    <message>
      <source>Picture of the search tree</source>
      <translation>搜索树的图</translation>
    </message>
    <message>
      <source>Show the whole tree (P); I and O, or the wheel, zoom</source>
      <translation>显示整棵树 (P)；按 I、O 或滚轮缩放</translation>
    </message>
    <message>
      <source>How many of the most visited nodes are drawn</source>
      <translation>绘制多少个访问最多的节点</translation>
    </message>
    <message>
      <source>Nodes in the picture</source>
      <translation>树图中的节点数</translation>
    </message>
    <message>
      <source>Edges as wide as their share of visits</source>
      <translation>边的宽度按访问占比</translation>
    </message>
    <message>
      <source>Edges as wide as their prior</source>
      <translation>边的宽度按先验概率</translation>
    </message>
    <message>
      <source>Fit</source>
      <translation>适应</translation>
    </message>
    <message>
      <source>In the picture the border is the net's V for the same player, the size the logarithm of the visits, a square is proved.</source>
      <translation>在图中，边框是神经网络对同一方的 V，大小是访问次数的对数，方块表示已证明。</translation>
    </message>
    <message>
      <source>preparing the picture (compiled once on this machine)…</source>
      <translation>正在准备树图（每台机器编译一次）…</translation>
    </message>
    <message>
      <source>Size: visits</source>
      <translation>大小：访问次数</translation>
    </message>
    <message>
      <source>Border: the net's V</source>
      <translation>边框：网络的 V</translation>
    </message>
    <message>
      <source>Find moves, ask the tree</source>
      <translation>查找着法，向树提问</translation>
    </message>
    <message>
      <source>Find</source>
      <translation>查找</translation>
    </message>
    <message>
      <source>the search contradicts the net</source>
      <translation>搜索与网络相反</translation>
    </message>
    <message>
      <source>best moves against the prior</source>
      <translation>先验概率低的最佳着法</translation>
    </message>
    <message>
      <source>proved further down</source>
      <translation>在深处被证明</translation>
    </message>
    <message>
      <source>visits of lost moves</source>
      <translation>花在必败着法上的访问</translation>
    </message>
    <message>
      <source>hardly a choice</source>
      <translation>几乎没有选择</translation>
    </message>
    <message>
      <source>Questions: examples and your own</source>
      <translation>问题：示例和您自己的</translation>
    </message>
    <message>
      <source>Light the nodes that end with these moves (d4 e5), or those of which a question is true (N &gt; 100 and abs(Q - V) &gt; .3); Enter goes to the next, Shift+Enter to the one before</source>
      <translation>点亮以这些着法（d4 e5）结尾的节点，或使问题（N &gt; 100 and abs(Q - V) &gt; .3）成立的节点；Enter 到下一个，Shift+Enter 到上一个</translation>
    </message>
    <message>
      <source>Forget this question</source>
      <translation>忘掉这个问题</translation>
    </message>
    <message>
      <source>Keep this question</source>
      <translation>保留这个问题</translation>
    </message>
    <message>
      <source>before the first simulation: the tree is empty</source>
      <translation>第一次模拟之前：搜索树为空</translation>
    </message>
    <message>
      <source>What colours, widths and marks mean</source>
      <translation>颜色、宽度和标记的含义</translation>
    </message>
    <message>
      <source>The moves with their figures; each unfolds to its replies</source>
      <translation>各着法及其数值；每一行都可展开看应着</translation>
    </message>
    <message>
      <source>The whole tree, each move as wide as its visits (Ctrl+J)</source>
      <translation>整棵树，每个着法的宽度即其访问次数（Ctrl+J）</translation>
    </message>
    <message>
      <source>The most visited nodes as a picture (Ctrl+P)</source>
      <translation>以图显示访问最多的节点（Ctrl+P）</translation>
    </message>
    <message>
      <source>The way to what fills the width; Esc goes back</source>
      <translation>通往当前占满宽度的节点的路径；Esc 返回</translation>
    </message>
    <message>
      <source>Node under the pointer or selected</source>
      <translation>指针所指或选中的节点</translation>
    </message>
    <message>
      <source>Whole tree</source>
      <translation>整棵树</translation>
    </message>
    <message>
      <source>Rank of the move by visits; ● marks the move that the search would play.</source>
      <translation>按访问次数排的名次；● 标出该搜索会走的着法。</translation>
    </message>
    <message>
      <source>Mean value for the player whose disc stands before the move.</source>
      <translation>平均价值，以着法前棋子所示的一方为准。</translation>
    </message>
    <message>
      <source>Value for {mover}: first {texts}, second {texts_2}</source>
      <translation>{mover}的价值：第一次 {texts}，第二次 {texts_2}</translation>
    </message>
    <message>
      <source>Δ share</source>
      <translation>Δ 占比</translation>
    </message>
    <message>
      <source>Share of the visits in the second search minus that in the first.</source>
      <translation>第二次搜索的访问占比减去第一次的。</translation>
    </message>
    <message>
      <source>Both expect {shared}; the first looks further: {more}.</source>
      <translation>两者均预期 {shared}；第一次搜索看得更远：{more}。</translation>
    </message>
    <message>
      <source>{words}: higher by {change:.3f}.</source>
      <translation>{words}：高出 {change:.3f}。</translation>
    </message>
    <message>
      <source>{words}: lower by {change:.3f}.</source>
      <translation>{words}：低了 {change:.3f}。</translation>
    </message>
    <message>
      <source>First search · {differs}</source>
      <translation>第一个搜索 · {differs}</translation>
    </message>
    <message>
      <source>Second search · {differs}</source>
      <translation>第二个搜索 · {differs}</translation>
    </message>
    <message>
      <source>left out</source>
      <translation>未列入</translation>
    </message>
    <message>
      <source>Moves of both searches</source>
      <translation>两次搜索的着法</translation>
    </message>
    <message>
      <source>One of the searches has no principal variation yet.</source>
      <translation>其中一次搜索尚无主要变例。</translation>
    </message>
    <message>
      <source>Both expect {shared}; the second looks further: {more}.</source>
      <translation>两者均预期 {shared}；第二次搜索看得更远：{more}。</translation>
    </message>
    <message>
      <source>Both expect {shared}; then the first plays {first_move} and the second {second_move}, for {mover}.</source>
      <translation>两者均预期 {shared}；其后第一次搜索为{mover}走 {first_move}，第二次走 {second_move}。</translation>
    </message>
    <message>
      <source>Second: {changes}</source>
      <translation>第二次：{changes}</translation>
    </message>
    <message>
      <source>First search</source>
      <translation>第一次搜索</translation>
    </message>
    <message>
      <source>Second search</source>
      <translation>第二次搜索</translation>
    </message>
    <message>
      <source>The first plays {first_move} and the second {second_move}, for {mover}.</source>
      <translation>第一次搜索为{mover}走 {first_move}，第二次走 {second_move}。</translation>
    </message>
    <message>
      <source>{words}: the same.</source>
      <translation>{words}：相同。</translation>
    </message>
    <message>
      <source>{result} of the moves searched</source>
      <translation>就所搜索的着法 {result}</translation>
    </message>
    <message>
      <source>{title} {ours} instead of {theirs}</source>
      <translation>{title} {ours}（原为 {theirs}）</translation>
    </message>
    <message>
      <source>same settings as the first</source>
      <translation>与第一次设置相同</translation>
    </message>
    <message>
      <source>{sources} instead of {sources_2}</source>
      <translation>{sources} 代替 {sources_2}</translation>
    </message>
    <message>
      <source>{limits} instead of {limits_2}</source>
      <translation>{limits}代替 {limits_2}</translation>
    </message>
    <message>
      <source>Both expect {shared}.</source>
      <translation>两者均预期 {shared}。</translation>
    </message>
    <message>
      <source>Visits of the moves under many seeds</source>
      <translation>各着法在许多种子下的访问</translation>
    </message>
    <message>
      <source>Search the position {seeds} times with each search, under other seeds, to at most {most} simulations</source>
      <translation>两个搜索各以不同的种子把局面搜索 {seeds} 次，每次最多 {most} 次模拟</translation>
    </message>
    <message>
      <source>{search}: best move under {n} seeds: {moves}</source>
      <translation>{search}：{n} 个种子下的最佳着法：{moves}</translation>
    </message>
    <message>
      <source>best in {played} of {runs} runs; share of the visits {low} to {high}, Q {q_low} to {q_high}</source>
      <translation>{runs} 次中有 {played} 次最佳；访问占比 {low} 至 {high}，Q {q_low} 至 {q_high}</translation>
    </message>
    <message>
      <source>How much of the result is chance: the same searches under other seeds.</source>
      <translation>结果中有多少是运气：同样的搜索，不同的种子。</translation>
    </message>
    <message>
      <source>Where all runs are the same, nothing in the search depends on the seed: add noise.</source>
      <translation>如果每次都相同，这个搜索就不依赖种子：请加入噪声。</translation>
    </message>
    <message>
      <source>Try {n} seeds</source>
      <translation>试 {n} 个种子</translation>
    </message>
    <message>
      <source>Share of all simulations</source>
      <translation>占全部模拟的比例</translation>
    </message>
    <message>
      <source>less in the second</source>
      <translation>第二搜索较少</translation>
    </message>
    <message>
      <source>more in the second</source>
      <translation>第二搜索较多</translation>
    </message>
    <message>
      <source>widths by</source>
      <translation>宽度取自</translation>
    </message>
    <message>
      <source>Colour: the share of the visits that went through the node, in the second search less that in the first; drawn by its square root, so that small differences can be seen. Figures: the same in percent.</source>
      <translation>颜色：经过该节点的访问占全部访问的比例，第二搜索减第一搜索；按平方根着色，使小差异可见。数字：同一差值的百分数。</translation>
    </message>
    <message>
      <source>Both searches are needed for the difference: run the second one.</source>
      <translation>差异需要两个搜索：请运行第二个。</translation>
    </message>
    <message>
      <source>The difference is not available while the other search is on another machine.</source>
      <translation>另一搜索在别的机器上运行时无法显示差异。</translation>
    </message>
    <message>
      <source>{text}: its tree</source>
      <translation>{text}：其搜索树</translation>
    </message>
    <message>
      <source>{title} is a net for {title_2}; the second search is of {current}.</source>
      <translation>{title} 是用于{title_2}的网络；第二次搜索的棋类是{current}。</translation>
    </message>
    <message>
      <source>no game</source>
      <translation>无棋类</translation>
    </message>
    <message>
      <source>Both trees as one icicle, coloured by where their simulations differ</source>
      <translation>两棵树合为一张冰柱图，按模拟分布的差异着色</translation>
    </message>
    <message>
      <source>Both searches under many seeds: how much of their results is chance</source>
      <translation>两个搜索在许多种子下：结果中有多少是运气</translation>
    </message>
    <message>
      <source>What evaluates the positions of the second search</source>
      <translation>由什么评估第二次搜索的局面</translation>
    </message>
    <message>
      <source>Copy first search</source>
      <translation>复制第一次搜索</translation>
    </message>
    <message>
      <source>Settings of the second search</source>
      <translation>第二次搜索的设置</translation>
    </message>
    <message>
      <source>{first} simulations against {second}: the differences may come from that alone.</source>
      <translation>{first} 次模拟对 {second} 次：差异可能仅由此而来。</translation>
    </message>
    <message>
      <source>Another net…</source>
      <translation>另选网络…</translation>
    </message>
    <message>
      <source>The engine is being loaded.</source>
      <translation>引擎正在载入。</translation>
    </message>
    <message>
      <source>The first search is locked on another position; go there to compare.</source>
      <translation>第一次搜索锁定在另一局面；前往该处以便比较。</translation>
    </message>
    <message>
      <source>The first search has not begun here; Space starts it.</source>
      <translation>第一次搜索尚未在此开始；按空格键开始。</translation>
    </message>
    <message>
      <source>none yet</source>
      <translation>暂无</translation>
    </message>
    <message>
      <source>Continue without limit</source>
      <translation>无限继续搜索</translation>
    </message>
    <message>
      <source>The second search has not begun here; Run starts it.</source>
      <translation>第二个搜索在这里还没有开始；按“运行”开始。</translation>
    </message>
    <message>
      <source>Change a setting, the net or the simulations of the second search: it runs beside the first.</source>
      <translation>改动第二次搜索的设置、网络或模拟次数：它会与第一次并行。</translation>
    </message>
    <message>
      <source>Simulations: first {first}, second {simulations} by {evaluator}{rest}</source>
      <translation>模拟次数：第一次 {first}，第二次 {simulations}，由 {evaluator}{rest}</translation>
    </message>
    <message>
      <source>The saved tree is left out: {why}.</source>
      <translation>保存的搜索树没有载入：{why}。</translation>
    </message>
    <message>
      <source>Run both to {simulations}</source>
      <translation>两者都搜索到 {simulations}</translation>
    </message>
    <message>
      <source>The second search is {phase}.</source>
      <translation>第二次搜索：{phase}。</translation>
    </message>
    <message>
      <source>Selection is run forward at this node: each new simulation enters the selected move, leaves that move's mean (and spread) unchanged and adds the mean to the node's own; simulations in flight stay in flight. Shown: after how many of them selection takes another move.</source>
      <translation>在此节点向前推演选择：此后每次模拟都进入选择所取的着法，其均值（与离散度）保持不变，并将该均值计入本节点；途中的模拟仍保持在途。显示的是再经过多少次模拟后选择会换成另一着。</translation>
    </message>
    <message>
      <source>{only} · values for {mover}</source>
      <translation>{only} · 价值以{mover}为准</translation>
    </message>
    <message>
      <source>If Q stays the same, {names} is chosen after {after} more simulations here.</source>
      <translation>若 Q 不变，此处再模拟 {after} 次后选择 {names}。</translation>
    </message>
    <message>
      <source>{name}: Q {q} ± {radius}, lower bound {bound}: the highest among moves with {share} of the most visits</source>
      <translation>{name}：Q {q} ± {radius}，下界 {bound}：在访问次数不少于最多者 {share} 的着法中最高</translation>
    </message>
    <message>
      <source>not due: moves with {due} visits are taken now, this one has {n}</source>
      <translation>未轮到：现在选取访问 {due} 次的着法，而它已访问 {n} 次</translation>
    </message>
    <message>
      <source>not in use: every move has been tried</source>
      <translation>未使用：所有着法都已试过</translation>
    </message>
    <message>
      <source>less than 0.000001</source>
      <translation>不到 0.000001</translation>
    </message>
    <message>
      <source>none in flight</source>
      <translation>没有在途的模拟</translation>
    </message>
    <message>
      <source>not tried yet: the bonus is infinite</source>
      <translation>尚未试过：加成为无穷大</translation>
    </message>
    <message>
      <source>{letter} = {value}, constant</source>
      <translation>{letter} = {value}，常数</translation>
    </message>
    <message>
      <source>{mean} {minus} {fpu_reduction:g} · √{visited_prior} = {unvisited}: this node's value minus {fpu_reduction:g} · √ of the P tried</source>
      <translation>{mean} {minus} {fpu_reduction:g} · √{visited_prior} = {unvisited}：本节点的价值减去 {fpu_reduction:g} · √已试着法的 P 之和</translation>
    </message>
    <message>
      <source>Proved: no simulation chooses here any more.</source>
      <translation>已证明：此处不再有模拟做选择。</translation>
    </message>
    <message>
      <source>No move may be entered: all are proved lost.</source>
      <translation>没有可进入的着法：全部已证明为负。</translation>
    </message>
    <message>
      <source>every other one is proved lost</source>
      <translation>其余着法都已证明为负</translation>
    </message>
    <message>
      <source>it is the only move</source>
      <translation>这是唯一的着法</translation>
    </message>
    <message>
      <source>none: only the root has it</source>
      <translation>无：仅根节点有噪声</translation>
    </message>
    <message>
      <source>the search is {gain} higher for {better}</source>
      <translation>搜索认为{better}多得 {gain}</translation>
    </message>
    <message>
      <source>{value} for {player}</source>
      <translation>{player} {value}</translation>
    </message>
    <message>
      <source>{name} is next: every move is tried once first.</source>
      <translation>下一着为 {name}：先将每个着法各试一次。</translation>
    </message>
    <message>
      <source>{total} under way: {shown}</source>
      <translation>{total} 次在途：{shown}</translation>
    </message>
    <message>
      <source>the search is {gain} lower for {better}</source>
      <translation>搜索认为{better}少得 {gain}</translation>
    </message>
    <message>
      <source>{unvisited}: a move not tried counts as lost</source>
      <translation>{unvisited}：未试的着法按负计</translation>
    </message>
    <message>
      <source>{unvisited}: a move not tried counts as level</source>
      <translation>{unvisited}：未试的着法按均势计</translation>
    </message>
    <message>
      <source>{name} is next: {others}.</source>
      <translation>下一着为 {name}：{others}。</translation>
    </message>
    <message>
      <source>{name} is next, level with {second}.</source>
      <translation>下一着为 {name}，与 {second} 持平。</translation>
    </message>
    <message>
      <source>The choice does not change within {after} more simulations here.</source>
      <translation>此处再模拟 {after} 次之内，选择不会改变。</translation>
    </message>
    <message>
      <source>mean of the net's answers under {count} symmetries</source>
      <translation>网络在 {count} 种对称下回答的均值</translation>
    </message>
    <message>
      <source>{moves} stand for their {others} images, with the sum of P</source>
      <translation>{moves} 个着法代表其 {others} 个对称着法，P 为总和</translation>
    </message>
    <message>
      <source>none: the search agrees with the net</source>
      <translation>无：搜索与网络一致</translation>
    </message>
    <message>
      <source>{name} is next: the only move with the {due} visits that are due.</source>
      <translation>下一着为 {name}：唯一达到所需 {due} 次访问的着法。</translation>
    </message>
    <message>
      <source>{q} for {mover} · {q_2} for {other}</source>
      <translation>{mover} {q} · {other} {q_2}</translation>
    </message>
    <message>
      <source>{name} is next: not tried yet; then {second}.</source>
      <translation>下一着为 {name}：尚未试过；其次为 {second}。</translation>
    </message>
    <message>
      <source>{name} is next, level with {second} and before it in order.</source>
      <translation>下一着为 {name}，与 {second} 持平而次序在前。</translation>
    </message>
    <message>
      <source>{name} is next, {margin} ahead of {second}.</source>
      <translation>下一着为 {name}，领先 {second} {margin}。</translation>
    </message>
    <message>
      <source>Shown: Q ± {z:g} standard errors of the values found, by which a lower bound may choose the move.</source>
      <translation>所示：Q ± 所得价值的 {z:g} 个标准误，亦即可用来按下界选择着法的半径。</translation>
    </message>
    <message>
      <source>{low} to {high}</source>
      <translation>{low} 至 {high}</translation>
    </message>
    <message>
      <source>Q {q}, spread not known</source>
      <translation>Q {q}，离散程度未知</translation>
    </message>
    <message>
      <source>under each symmetry</source>
      <translation>各对称变换下</translation>
    </message>
    <message>
      <source>margin {margin}</source>
      <translation>领先 {margin}</translation>
    </message>
    <message>
      <source>Q {q}, from {low} to {high}</source>
      <translation>Q {q}，从 {low} 到 {high}</translation>
    </message>
    <message>
      <source>Q {q}, proved: {value}</source>
      <translation>Q {q}，已证明：{value}</translation>
    </message>
    <message>
      <source>First tried</source>
      <translation>首次尝试</translation>
    </message>
    <message>
      <source>The moves of the line, in turn; a click selects the position after one.</source>
      <translation>该变例的各手；单击可选中走出该手之后的局面。</translation>
    </message>
    <message>
      <source>The net's prior of the move.</source>
      <translation>网络给该着法的先验。</translation>
    </message>
    <message>
      <source>The net's own value after the move.</source>
      <translation>走这一着之后网络自身的价值。</translation>
    </message>
    <message>
      <source>Visits of the move, in this search.</source>
      <translation>在这次搜索中这一着的访问次数。</translation>
    </message>
    <message>
      <source>The mean value of the move.</source>
      <translation>该着法的平均价值。</translation>
    </message>
    <message>
      <source>The exact result of the move where it is known; !: the search takes it for won or lost, and it is not.</source>
      <translation>该着法已知的精确结果；!：搜索认为它胜或负，其实不是。</translation>
    </message>
    <message>
      <source>The simulation that took the move first; ≈: foretold by the rule of selection, if nothing else changes.</source>
      <translation>首次走到该着法的模拟；≈：若其他不变，由选择规则预测。</translation>
    </message>
    <message>
      <source>What would it take?</source>
      <translation>需要什么才能找到？</translation>
    </message>
    <message>
      <source>The game has no move after this position.</source>
      <translation>对局在此局面之后没有着法。</translation>
    </message>
    <message>
      <source>No other engine names a line here; ask one in the room Opponents, part Second opinion.</source>
      <translation>没有别的引擎在此给出变化；请在“对手”一栏的“第二意见”里询问一个。</translation>
    </message>
    <message>
      <source>beyond the horizon</source>
      <translation>超出视野</translation>
    </message>
    <message>
      <source>it is found</source>
      <translation>能找到</translation>
    </message>
    <message>
      <source>the searches differ</source>
      <translation>两次搜索不同</translation>
    </message>
    <message>
      <source>right by the policy</source>
      <translation>因策略而正确</translation>
    </message>
    <message>
      <source>right by a wrong value</source>
      <translation>因错误的价值而正确</translation>
    </message>
    <message>
      <source>right for the moment</source>
      <translation>暂时正确</translation>
    </message>
    <message>
      <source>right with this c</source>
      <translation>在这个 c 下正确</translation>
    </message>
    <message>
      <source>right, but misjudged</source>
      <translation>正确，但判断有误</translation>
    </message>
    <message>
      <source>Searched again, {simulations} from the same seed, each alone: {choice} is chosen (N {n}), {other} has N {m}.</source>
      <translation>用相同种子重新搜索，{simulations}，每个局面单独求值：选择 {choice}（N {n}），{other} 的 N 为 {m}。</translation>
    </message>
    <message>
      <source>Searched again, {simulations} from the same seed: {choice} is chosen (N {n}), {other} has N {m}.</source>
      <translation>用相同种子重新搜索，{simulations}：选择 {choice}（N {n}），{other} 的 N 为 {m}。</translation>
    </message>
    <message>
      <source>The line that it misses</source>
      <translation>它漏掉的变化</translation>
    </message>
    <message>
      <source>Moves from the position on the board, such as those of another engine. It is searched again with one prior or one value of the net corrected at a time.</source>
      <translation>从棋盘局面开始的着法，例如另一引擎的着法。每次改正网络的一个先验或一个价值，再重新搜索。</translation>
    </message>
    <message>
      <source>The line in the search</source>
      <translation>搜索中的这条变化</translation>
    </message>
    <message>
      <source>What was tried</source>
      <translation>尝试过的改正</translation>
    </message>
    <message>
      <source>As played</source>
      <translation>实战</translation>
    </message>
    <message>
      <source>Enter the moves that the game has after this position, at most 8.</source>
      <translation>填入对局在此局面之后的着法，至多 8 着。</translation>
    </message>
    <message>
      <source>Enter the line that the engine asked for a second opinion likes best, at most 8 moves.</source>
      <translation>填入第二意见的引擎最看好的变化，至多 8 着。</translation>
    </message>
    <message>
      <source>Find the cause</source>
      <translation>查找原因</translation>
    </message>
    <message>
      <source>the line has no move; it must have at least one</source>
      <translation>变化中没有着法；至少要有一手</translation>
    </message>
    <message>
      <source>The position is searched again, {simulations} from the same seed.</source>
      <translation>用相同种子重新搜索该局面，{simulations}。</translation>
    </message>
    <message>
      <source>left</source>
      <translation>放弃此着</translation>
    </message>
    <message>
      <source>not found</source>
      <translation>未找到</translation>
    </message>
    <message>
      <source>What was tried, and the line</source>
      <translation>尝试过的改动与变化</translation>
    </message>
    <message>
      <source>right for good after {found} simulations</source>
      <translation>{found} 次模拟之后一直正确</translation>
    </message>
    <message>
      <source>the choice is still wrong after {simulations} simulations</source>
      <translation>{simulations} 次模拟后选择仍然是错的</translation>
    </message>
    <message>
      <source>Searching again: {tried} repairs tried.</source>
      <translation>正在重新搜索：已尝试 {tried} 种改正。</translation>
    </message>
    <message>
      <source>right for good after {most} simulations</source>
      <translation>{most} 次模拟后一直正确</translation>
    </message>
    <message>
      <source>Score utility: what the mean lead adds to Q.</source>
      <translation>目数效用：平均领先目数对 Q 的加成。</translation>
    </message>
    <message>
      <source>Next choice</source>
      <translation>下一次选择</translation>
    </message>
    <message>
      <source>Terms of the moves' scores</source>
      <translation>各着法评分的各项</translation>
    </message>
    <message>
      <source>Scores of the moves</source>
      <translation>各着法的得分</translation>
    </message>
    <message>
      <source>Visits of all moves here, including simulations in flight.</source>
      <translation>此处所有着法的访问次数，含在途的模拟。</translation>
    </message>
    <message>
      <source>Constant</source>
      <translation>常数</translation>
    </message>
    <message>
      <source>Weight of exploration against values at present.</source>
      <translation>当前探索相对于价值的权重。</translation>
    </message>
    <message>
      <source>FPU</source>
      <translation>FPU</translation>
    </message>
    <message>
      <source>First-play urgency: the Q assumed for a move without visits.</source>
      <translation>首次访问价值（FPU）：未访问着法所假定的 Q。</translation>
    </message>
    <message>
      <source>Noise</source>
      <translation>噪声</translation>
    </message>
    <message>
      <source>Dirichlet noise mixed into the root's priors: (1 − ε) P + ε Dir(α).</source>
      <translation>混入根节点先验概率的狄利克雷噪声：(1 − ε) P + ε Dir(α)。</translation>
    </message>
    <message>
      <source>Root P</source>
      <translation>根节点 P</translation>
    </message>
    <message>
      <source>What the settings did to the net's policy at the root, beside noise.</source>
      <translation>除噪声外，设置对根节点网络策略所作的调整。</translation>
    </message>
    <message>
      <source>Move played</source>
      <translation>走出的着法</translation>
    </message>
    <message>
      <source>The move that would be played now, with the interval of its value.</source>
      <translation>此刻会走的着法及其价值区间。</translation>
    </message>
    <message>
      <source>Under way</source>
      <translation>在途</translation>
    </message>
    <message>
      <source>Simulations in flight: they count in N at once, in Q when they finish.</source>
      <translation>在途的模拟：立即计入 N，返回后才计入 Q。</translation>
    </message>
    <message>
      <source>▸ the next simulation enters; 2 has the next best score.</source>
      <translation>▸ 为下一次模拟进入的着法；2 为得分次高的着法。</translation>
    </message>
    <message>
      <source>Visits; + those in flight.</source>
      <translation>访问次数；+ 表示在途。</translation>
    </message>
    <message>
      <source>Mean value for the side to move here, which is the one that chooses.</source>
      <translation>平均价值，以此处轮走方为准，选择由该方作出。</translation>
    </message>
    <message>
      <source>  — proved lost: not entered</source>
      <translation>— 已证明为负：不再进入</translation>
    </message>
    <message>
      <source>and {hidden} more of the {total} moves, less visited</source>
      <translation>以及 {total} 个着法中访问较少的另外 {hidden} 个</translation>
    </message>
    <message>
      <source>The likeliest moves of the players that the human net imitates, and ● the move that the search would play.</source>
      <translation>人类网络所模仿的棋手最可能下的着法，以及搜索将要走的着法（●）。</translation>
    </message>
    <message>
      <source>How likely these players play the move, as the human net claims: one look at the position, no search.</source>
      <translation>这些棋手下这一着的可能性，是人类网络的说法：只看局面一眼，不搜索。</translation>
    </message>
    <message>
      <source>Prior of the net that searches.</source>
      <translation>搜索所用网络的先验概率。</translation>
    </message>
    <message>
      <source>Share of the visits.</source>
      <translation>在访问次数中的占比。</translation>
    </message>
    <message>
      <source>Mean value of the simulations through the move, for the side that plays it.</source>
      <translation>经过该着法的模拟的平均价值，以走这一着的一方为准。</translation>
    </message>
    <message>
      <source>What would they play?</source>
      <translation>他们会下什么？</translation>
    </message>
    <message>
      <source>Line {line}: only moves of {player}: {only}. Findability, their product: {chance}.</source>
      <translation>变化 {line}：{player}的唯一着：{only}。可发现度，即它们的乘积：{chance}。</translation>
    </message>
    <message>
      <source>Moves of the players that the human net imitates</source>
      <translation>人类网络所模仿的棋手的着法</translation>
    </message>
    <message>
      <source>{player}: {move} is likeliest, with {share}.</source>
      <translation>{player}：最可能的是 {move}，{share}。</translation>
    </message>
    <message>
      <source>Line {line}: {player} has no only move in it; a move nearly as good stands beside each.</source>
      <translation>变化 {line}：{player}在其中没有唯一着；每一着都有差不多好的着法。</translation>
    </message>
    <message>
      <source>{player}: {move} is likeliest, with {share}; the search's move, {best}, has {other}.</source>
      <translation>{player}：最可能的是 {move}，{share}；搜索的着法 {best} 为 {other}。</translation>
    </message>
    <message>
      <source>This is the claim of the human net, without search, for the side to move: it may be wrong.</source>
      <translation>这是人类网络对轮走方的说法，未经搜索，可能有误。</translation>
    </message>
    <message>
      <source>What would they play: {players}?</source>
      <translation>他们会下什么：{players}？</translation>
    </message>
    <message>
      <source>{player}: {move} is likeliest, with {share}; it is the search's move, too.</source>
      <translation>{player}：最可能的是 {move}，{share}；这也是搜索的着法。</translation>
    </message>
    <message>
      <source>The game is over here: there is nothing to choose.</source>
      <translation>此处对局已结束：没有可选择的着法。</translation>
    </message>
    <message>
      <source>the human net is evaluating…</source>
      <translation>人类网络正在评估…</translation>
    </message>
    <message>
      <source>Net input</source>
      <translation>网络输入</translation>
    </message>
    <message>
      <source>Policies</source>
      <translation>策略分布</translation>
    </message>
    <message>
      <source>Symmetries</source>
      <translation>对称性</translation>
    </message>
    <message>
      <source>Policies of the moves</source>
      <translation>各着法的策略</translation>
    </message>
    <message>
      <source>Entropy and divergence</source>
      <translation>熵与散度</translation>
    </message>
    <message>
      <source>Net policy and visits of the moves</source>
      <translation>各着法的网络策略与访问占比</translation>
    </message>
    <message>
      <source>Moves whose value is lower by 0.1 or more than that of the move played now: exact where it is proved, else Q. P on them is what the net gives to moves that the search rejects.</source>
      <translation>价值比此刻会走的着法低 0.1 或以上的着法：已证明者取精确值，否则取 Q。其上的 P 是网络给予被搜索否定的着法的概率。</translation>
    </message>
    <message>
      <source>Wrong moves</source>
      <translation>错误的着法</translation>
    </message>
    <message>
      <source>Moves with a worse exact result than the best one. Known where the position was solved: by the overlay of exact results, or by “Why not?”.</source>
      <translation>精确结果比最佳着法差的着法。局面已解出时可知：由精确结果的叠加，或由“为何不走？”。</translation>
    </message>
    <message>
      <source>π {share} on {moves}</source>
      <translation>π {share} 在 {moves}</translation>
    </message>
    <message>
      <source>P {prior}, π {share} on {moves}</source>
      <translation>P {prior}，π {share} 在 {moves}</translation>
    </message>
    <message>
      <source>Net V</source>
      <translation>网络 V</translation>
    </message>
    <message>
      <source>The net's own value of this position, before any search below it.</source>
      <translation>网络自身对此局面的价值，未经其下任何搜索。</translation>
    </message>
    <message>
      <source>The mean of all simulations through this node, from both sides.</source>
      <translation>经过此节点的所有模拟的均值，从双方的角度给出。</translation>
    </message>
    <message>
      <source>Difference</source>
      <translation>差异</translation>
    </message>
    <message>
      <source>This position has no value yet.</source>
      <translation>此局面尚未被评估。</translation>
    </message>
    <message>
      <source>Proof</source>
      <translation>证明</translation>
    </message>
    <message>
      <source>The result with best play, proved by the search, and its distance.</source>
      <translation>搜索所证明的双方最佳应对下的结果，及其距离。</translation>
    </message>
    <message>
      <source>Values at the leaves</source>
      <translation>叶节点的价值</translation>
    </message>
    <message>
      <source>How often each value was found at the end of a simulation through this node: the net's value of the leaf, or the result of a random or finished game, for the player named below. Dashed: their mean, and the net's own value of this node.</source>
      <translation>经过此节点的模拟在末端得到各价值的次数：网络对叶节点的价值，或随机对局、已结束对局的结果，以下方所写一方为准。虚线：其均值，以及网络对此节点自身的价值。</translation>
    </message>
    <message>
      <source>Q of the moves with its interval</source>
      <translation>各着法的 Q 及其区间</translation>
    </message>
    <message>
      <source>V mean</source>
      <translation>V 均值</translation>
    </message>
    <message>
      <source>Mean of the net's values over all symmetries, ± their standard deviation.</source>
      <translation>网络价值在所有对称下的均值，± 标准差。</translation>
    </message>
    <message>
      <source>Range</source>
      <translation>范围</translation>
    </message>
    <message>
      <source>V of each</source>
      <translation>各 V</translation>
    </message>
    <message>
      <source>The value under each symmetry; the first is the board as it stands.</source>
      <translation>各对称下的价值；第一个为棋盘原状。</translation>
    </message>
    <message>
      <source>Policy over the symmetries</source>
      <translation>各对称下的策略</translation>
    </message>
    <message>
      <source>The net's policy on the board as it stands.</source>
      <translation>网络对当前棋盘的策略。</translation>
    </message>
    <message>
      <source>Its mean over all symmetries, each carried back to this board.</source>
      <translation>其在所有对称下的均值，均已变换回本棋盘。</translation>
    </message>
    <message>
      <source>Value under every symmetry</source>
      <translation>各对称变换下的价值</translation>
    </message>
    <message>
      <source>Policy under every symmetry</source>
      <translation>各对称变换下的策略</translation>
    </message>
    <message>
      <source>As {mover} (to move) sees the board: own stones are those of {mover}.</source>
      <translation>以{mover}（轮走方）的视角：己方棋子即{mover}的棋子。</translation>
    </message>
    <message>
      <source>π target</source>
      <translation>π 目标</translation>
    </message>
    <message>
      <source>The net's prior over the legal moves; uniform without a net.</source>
      <translation>网络给出的先验，取合法着法；没有网络时各着法相同。</translation>
    </message>
    <message>
      <source>Prior as selection uses it: root noise mixed in, scaled to sum 1 where only some moves are searched.</source>
      <translation>选择所用的先验概率：混入根节点噪声；仅搜索部分着法时缩放至总和为 1。</translation>
    </message>
    <message>
      <source>+1 won</source>
      <translation>+1 胜</translation>
    </message>
    <message>
      <source>by a recipe</source>
      <translation>按配方</translation>
    </message>
    <message>
      <source>P scaled</source>
      <translation>P 缩放</translation>
    </message>
    <message>
      <source>P noise</source>
      <translation>P 含噪声</translation>
    </message>
    <message>
      <source>Visits without proved losses: what a net would learn.</source>
      <translation>去除已证明为负者的访问次数：供网络学习的目标。</translation>
    </message>
    <message>
      <source>; P {prior} on moves without visits</source>
      <translation>；P {prior} 在未访问的着法上</translation>
    </message>
    <message>
      <source>nothing proved yet</source>
      <translation>尚无证明</translation>
    </message>
    <message>
      <source>{result} for {player}, this move counted</source>
      <translation>{player} {result}，含本手</translation>
    </message>
    <message>
      <source>The values at the leaves are not available for a search on another machine.</source>
      <translation>搜索在另一台机器上运行时，无法显示叶节点的价值。</translation>
    </message>
    <message>
      <source>Leaf values of {counted} of {of} simulations, mean {mean} for {mover}</source>
      <translation>{of} 次模拟中 {counted} 次的叶节点价值，均值 {mean}（以{mover}为准）</translation>
    </message>
    <message>
      <source>net V</source>
      <translation>网络价值 V</translation>
    </message>
    <message>
      <source>Entropy H, and KL(· ‖ P): how far each lies from the net's.</source>
      <translation>熵 H 与 KL(· ‖ P)：各分布与网络策略的偏离程度。</translation>
    </message>
    <message>
      <source>π pruned</source>
      <translation>π 修剪</translation>
    </message>
    <message>
      <source>−1 lost for {mover}</source>
      <translation>−1 {mover}负</translation>
    </message>
    <message>
      <source>{mean} {plus_minus} {spread} for {mover}</source>
      <translation>{mover} {mean} {plus_minus} {spread}</translation>
    </message>
    <message>
      <source>Visits without those that only noise or early doubt explains (KataGo, section 3.2), no proved loss among them: what a net would learn.</source>
      <translation>去除仅由噪声或早期不确定性带来的访问（KataGo，第 3.2 节），也不含已证明为负者：供网络学习的目标。</translation>
    </message>
    <message>
      <source>Improved policy: the prior, raised where Q is above the node's value: what a net would learn.</source>
      <translation>改进策略：Q 高于节点价值处提高先验概率：供网络学习的目标。</translation>
    </message>
    <message>
      <source>Why</source>
      <translation>为何</translation>
    </message>
    <message>
      <source>A leaf of the tree: its moves are not opened yet, so there is nothing to choose.</source>
      <translation>树的叶节点：其着法尚未展开，因此没有可选择的。</translation>
    </message>
    <message>
      <source>No position</source>
      <translation>没有局面</translation>
    </message>
    <message>
      <source>Root</source>
      <translation>根节点</translation>
    </message>
    <message>
      <source>The next choice is hidden until you have guessed it.</source>
      <translation>在你猜出之前，下一步的选择不显示。</translation>
    </message>
    <message>
      <source>The search has not reached this position yet.</source>
      <translation>搜索尚未到达此局面。</translation>
    </message>
    <message>
      <source>Not in the tree: no simulation has come here.</source>
      <translation>不在树中：没有模拟到过这里。</translation>
    </message>
    <message>
      <source>Open a game to inspect its search.</source>
      <translation>打开一局棋以查看其搜索。</translation>
    </message>
    <message>
      <source>After {moves}</source>
      <translation>{moves} 之后</translation>
    </message>
    <message>
      <source>Visits.</source>
      <translation>访问次数。</translation>
    </message>
    <message>
      <source>Why not?</source>
      <translation>为何不走？</translation>
    </message>
    <message>
      <source>Against the exact results</source>
      <translation>与精确结果对照</translation>
    </message>
    <message>
      <source>Over the simulations. Shaded: the best move was wrong. A click goes to that simulation.</source>
      <translation>随模拟次数变化。阴影：当时的最佳着法是错的。点击可转到该次模拟。</translation>
    </message>
    <message>
      <source>The search expects after it</source>
      <translation>搜索预期其后的变化</translation>
    </message>
    <message>
      <source>The line of the best move</source>
      <translation>最佳着法的变例</translation>
    </message>
    <message>
      <source>visits</source>
      <translation>访问数</translation>
    </message>
    <message>
      <source>Line of moves</source>
      <translation>变例</translation>
    </message>
    <message>
      <source>Why {name}?</source>
      <translation>为何走 {name}？</translation>
    </message>
    <message>
      <source>Visits on wrong moves</source>
      <translation>落在错误着法上的访问</translation>
    </message>
    <message>
      <source>right from {simulation} on</source>
      <translation>自第 {simulation} 次起正确</translation>
    </message>
    <message>
      <source>A glass box for Monte Carlo tree search.  MIT licence.</source>
      <translation>让蒙特卡洛树搜索一目了然的玻璃盒。MIT 许可证。</translation>
    </message>
    <message>
      <source>Training needs PyTorch, which is not installed here.</source>
      <translation>训练需要 PyTorch，此处未安装。</translation>
    </message>
    <message>
      <source>System</source>
      <translation>操作系统</translation>
    </message>
    <message>
      <source>&amp;About Plyscope…</source>
      <translation>关于 Plyscope(&amp;A)…</translation>
    </message>
    <message>
      <source>What would it take: the line as played</source>
      <translation>需要什么才能找到：实战的变化</translation>
    </message>
    <message>
      <source>What would it take: the line of the second opinion</source>
      <translation>需要什么才能找到：第二意见的变化</translation>
    </message>
    <message>
      <source>&amp;Time</source>
      <translation>时间(&amp;T)</translation>
    </message>
    <message>
      <source>One simulation &amp;back</source>
      <translation>后退一次模拟(&amp;B)</translation>
    </message>
    <message>
      <source>One simulation f&amp;orward</source>
      <translation>前进一次模拟(&amp;O)</translation>
    </message>
    <message>
      <source>Ten simulations back</source>
      <translation>后退十次模拟</translation>
    </message>
    <message>
      <source>Ten simulations forward</source>
      <translation>前进十次模拟</translation>
    </message>
    <message>
      <source>A hundred simulations back</source>
      <translation>后退一百次模拟</translation>
    </message>
    <message>
      <source>A hundred simulations forward</source>
      <translation>前进一百次模拟</translation>
    </message>
    <message>
      <source>A thousand simulations back</source>
      <translation>后退一千次模拟</translation>
    </message>
    <message>
      <source>A thousand simulations forward</source>
      <translation>前进一千次模拟</translation>
    </message>
    <message>
      <source>&amp;Rewind to before the first simulation</source>
      <translation>回到第一次模拟之前(&amp;R)</translation>
    </message>
    <message>
      <source>&amp;Play or pause the simulations</source>
      <translation>播放模拟或暂停(&amp;P)</translation>
    </message>
    <message>
      <source>Predict each simulation</source>
      <translation>预测每次模拟</translation>
    </message>
    <message>
      <source>Back to the prese&amp;nt</source>
      <translation>回到当前(&amp;N)</translation>
    </message>
    <message>
      <source>&amp;Game</source>
      <translation>对局(&amp;G)</translation>
    </message>
    <message>
      <source>&amp;New game</source>
      <translation>新对局(&amp;N)</translation>
    </message>
    <message>
      <source>Open the c&amp;losed game again</source>
      <translation>重新打开已关闭的对局(&amp;L)</translation>
    </message>
    <message>
      <source>Other &amp;game or size…</source>
      <translation>其他棋类或尺寸(&amp;G)…</translation>
    </message>
    <message>
      <source>Set &amp;up a position…</source>
      <translation>摆设局面(&amp;U)…</translation>
    </message>
    <message>
      <source>&amp;About this game…</source>
      <translation>关于本局(&amp;A)…</translation>
    </message>
    <message>
      <source>Open a game or sess&amp;ion…</source>
      <translation>打开棋谱或会话(&amp;I)…</translation>
    </message>
    <message>
      <source>Open &amp;recent</source>
      <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
      <source>&amp;Clear the list</source>
      <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Save the game as SGF…</source>
      <translation>将对局存为 SGF(&amp;S)…</translation>
    </message>
    <message>
      <source>Save the s&amp;ession…</source>
      <translation>保存会话(&amp;E)…</translation>
    </message>
    <message>
      <source>Save or e&amp;xport the tree…</source>
      <translation>保存或导出搜索树(&amp;X)…</translation>
    </message>
    <message>
      <source>Share this search…</source>
      <translation>分享这次搜索…</translation>
    </message>
    <message>
      <source>Open a tree as the second searc&amp;h…</source>
      <translation>把搜索树作为第二次搜索打开(&amp;H)…</translation>
    </message>
    <message>
      <source>&amp;Trees</source>
      <translation>搜索树(&amp;T)</translation>
    </message>
    <message>
      <source>&amp;Keep this tree and go on in a copy</source>
      <translation>保留这棵树并在副本中继续(&amp;K)</translation>
    </message>
    <message>
      <source>&amp;Next tree</source>
      <translation>下一棵树(&amp;N)</translation>
    </message>
    <message>
      <source>&amp;Previous tree</source>
      <translation>上一棵树(&amp;P)</translation>
    </message>
    <message>
      <source>&amp;Rename this tree…</source>
      <translation>重命名这棵树(&amp;R)…</translation>
    </message>
    <message>
      <source>&amp;Close this tree</source>
      <translation>关闭这棵树(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Copy the game as SGF</source>
      <translation>复制棋局为 SGF(&amp;C)</translation>
    </message>
    <message>
      <source>Copy the &amp;moves</source>
      <translation>复制着法(&amp;M)</translation>
    </message>
    <message>
      <source>&amp;Paste moves, a board or SGF</source>
      <translation>粘贴着法、盘面或 SGF(&amp;P)</translation>
    </message>
    <message>
      <source>&amp;Quit</source>
      <translation>退出(&amp;Q)</translation>
    </message>
    <message>
      <source>&amp;Moves</source>
      <translation>着法(&amp;M)</translation>
    </message>
    <message>
      <source>One move &amp;back</source>
      <translation>后退一手(&amp;B)</translation>
    </message>
    <message>
      <source>One move &amp;forward</source>
      <translation>前进一手(&amp;F)</translation>
    </message>
    <message>
      <source>Ten moves back</source>
      <translation>后退十手</translation>
    </message>
    <message>
      <source>Ten moves forward</source>
      <translation>前进十手</translation>
    </message>
    <message>
      <source>To the &amp;start</source>
      <translation>到开局(&amp;S)</translation>
    </message>
    <message>
      <source>To the &amp;end</source>
      <translation>到末尾(&amp;E)</translation>
    </message>
    <message>
      <source>Variation &amp;above</source>
      <translation>上一个变化(&amp;A)</translation>
    </message>
    <message>
      <source>Variation belo&amp;w</source>
      <translation>下一个变化(&amp;W)</translation>
    </message>
    <message>
      <source>Write a &amp;comment</source>
      <translation>写注释(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Undo the last change</source>
      <translation>撤销上一步更改(&amp;U)</translation>
    </message>
    <message>
      <source>&amp;Redo</source>
      <translation>重做(&amp;R)</translation>
    </message>
    <message>
      <source>&amp;Pass</source>
      <translation>停着(&amp;P)</translation>
    </message>
    <message>
      <source>Resi&amp;gn for the side to move</source>
      <translation>轮走方认输(&amp;G)</translation>
    </message>
    <message>
      <source>&amp;Take back</source>
      <translation>悔棋(&amp;T)</translation>
    </message>
    <message>
      <source>The engine plays its &amp;move</source>
      <translation>引擎走棋(&amp;M)</translation>
    </message>
    <message>
      <source>Start or pause pla&amp;y</source>
      <translation>开始或暂停对弈(&amp;Y)</translation>
    </message>
    <message>
      <source>Show a &amp;hint</source>
      <translation>显示提示(&amp;H)</translation>
    </message>
    <message>
      <source>Sh&amp;ow the analysis while you play</source>
      <translation>对局时显示分析(&amp;O)</translation>
    </message>
    <message>
      <source>&amp;Analysis</source>
      <translation>分析(&amp;A)</translation>
    </message>
    <message>
      <source>Search or &amp;stop</source>
      <translation>搜索或停止(&amp;S)</translation>
    </message>
    <message>
      <source>Leave the preview, stop</source>
      <translation>离开预览，停止</translation>
    </message>
    <message>
      <source>Analyse each &amp;new position</source>
      <translation>自动分析每个新局面(&amp;N)</translation>
    </message>
    <message>
      <source>&amp;Run the what-if search</source>
      <translation>运行假设搜索(&amp;R)</translation>
    </message>
    <message>
      <source>Rin&amp;gs on the stones that matter</source>
      <translation>关键棋子上的圆环(&amp;G)</translation>
    </message>
    <message>
      <source>The ne&amp;xt choice</source>
      <translation>下一次选择(&amp;X)</translation>
    </message>
    <message>
      <source>Defaults</source>
      <translation>默认值</translation>
    </message>
    <message>
      <source>&amp;Lock the search here</source>
      <translation>将搜索锁定在此(&amp;L)</translation>
    </message>
    <message>
      <source>Search the selected move al&amp;one</source>
      <translation>只搜索选中的着法(&amp;O)</translation>
    </message>
    <message>
      <source>Search the selected move, &amp;too</source>
      <translation>也搜索选中的着法(&amp;T)</translation>
    </message>
    <message>
      <source>Leave the selected move o&amp;ut</source>
      <translation>不搜索选中的着法(&amp;U)</translation>
    </message>
    <message>
      <source>Search &amp;all moves</source>
      <translation>搜索全部着法(&amp;A)</translation>
    </message>
    <message>
      <source>Analyse the &amp;whole game</source>
      <translation>分析整局(&amp;W)</translation>
    </message>
    <message>
      <source>Next mista&amp;ke</source>
      <translation>下一个失误(&amp;K)</translation>
    </message>
    <message>
      <source>Pre&amp;vious mistake</source>
      <translation>上一个失误(&amp;V)</translation>
    </message>
    <message>
      <source>R&amp;un on</source>
      <translation>运行于(&amp;U)</translation>
    </message>
    <message>
      <source>&amp;This machine</source>
      <translation>本机(&amp;T)</translation>
    </message>
    <message>
      <source>&amp;Another machine…</source>
      <translation>另一台机器(&amp;A)…</translation>
    </message>
    <message>
      <source>&amp;Add a workspace…</source>
      <translation>添加工作区(&amp;A)…</translation>
    </message>
    <message>
      <source>Re&amp;name this workspace…</source>
      <translation>重命名此工作区(&amp;N)…</translation>
    </message>
    <message>
      <source>&amp;Reset this workspace</source>
      <translation>重置此工作区(&amp;R)</translation>
    </message>
    <message>
      <source>Re&amp;move this workspace</source>
      <translation>移除此工作区(&amp;M)</translation>
    </message>
    <message>
      <source>Charts</source>
      <translation>图表</translation>
    </message>
    <message>
      <source>&amp;View</source>
      <translation>视图(&amp;V)</translation>
    </message>
    <message>
      <source>&amp;Preferences</source>
      <translation>首选项(&amp;P)</translation>
    </message>
    <message>
      <source>&amp;Theme</source>
      <translation>主题(&amp;T)</translation>
    </message>
    <message>
      <source>Light or dark</source>
      <translation>明暗切换</translation>
    </message>
    <message>
      <source>Text &amp;size</source>
      <translation>文字大小(&amp;S)</translation>
    </message>
    <message>
      <source>&amp;Larger text</source>
      <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
      <source>&amp;Smaller text</source>
      <translation>缩小文字(&amp;S)</translation>
    </message>
    <message>
      <source>&amp;Coordinates</source>
      <translation>坐标(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Move numbers on stones</source>
      <translation>棋子上的手数(&amp;M)</translation>
    </message>
    <message>
      <source>Moves in the &amp;tables</source>
      <translation>表中的着法(&amp;T)</translation>
    </message>
    <message>
      <source>&amp;W, the total value</source>
      <translation>W，总价值(&amp;W)</translation>
    </message>
    <message>
      <source>&amp;Curves of share and Q</source>
      <translation>占比与 Q 的曲线(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Help</source>
      <translation>帮助(&amp;H)</translation>
    </message>
    <message>
      <source>&amp;Find a command…</source>
      <translation>查找命令(&amp;F)…</translation>
    </message>
    <message>
      <source>&amp;Guide</source>
      <translation>指南(&amp;G)</translation>
    </message>
    <message>
      <source>&amp;Keys and mouse</source>
      <translation>按键与鼠标(&amp;K)</translation>
    </message>
    <message>
      <source>Take the &amp;tour</source>
      <translation>浏览导览(&amp;T)</translation>
    </message>
    <message>
      <source>&amp;Lessons</source>
      <translation>课程(&amp;L)</translation>
    </message>
    <message>
      <source>&amp;Open a lesson…</source>
      <translation>打开课程(&amp;O)…</translation>
    </message>
    <message>
      <source>&amp;Change the keys…</source>
      <translation>更改按键(&amp;C)…</translation>
    </message>
    <message>
      <source>&amp;Show the log</source>
      <translation>显示日志(&amp;S)</translation>
    </message>
    <message>
      <source>Follow the &amp;system</source>
      <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
      <source>&amp;Dark</source>
      <translation>深色(&amp;D)</translation>
    </message>
    <message>
      <source>&amp;Light</source>
      <translation>浅色(&amp;L)</translation>
    </message>
    <message>
      <source>Co&amp;lours</source>
      <translation>颜色(&amp;L)</translation>
    </message>
    <message>
      <source>&amp;Standard</source>
      <translation>标准(&amp;S)</translation>
    </message>
    <message>
      <source>For the &amp;colour-blind</source>
      <translation>色觉障碍适用(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Language</source>
      <translation>语言(&amp;L)</translation>
    </message>
    <message>
      <source>S&amp;ystem</source>
      <translation>系统语言(&amp;Y)</translation>
    </message>
    <message>
      <source>&amp;English</source>
      <translation>&amp;English</translation>
    </message>
    <message>
      <source>Values fo&amp;r</source>
      <translation>价值以谁为准(&amp;R)</translation>
    </message>
    <message>
      <source>The side to &amp;move</source>
      <translation>轮走方(&amp;M)</translation>
    </message>
    <message>
      <source>The &amp;first player</source>
      <translation>先手(&amp;F)</translation>
    </message>
    <message>
      <source>The &amp;second player</source>
      <translation>后手(&amp;S)</translation>
    </message>
    <message>
      <source>Runti&amp;me of nets</source>
      <translation>网络运行时(&amp;M)</translation>
    </message>
    <message>
      <source>&amp;Overlay</source>
      <translation>叠加(&amp;O)</translation>
    </message>
    <message>
      <source>&amp;Rooms</source>
      <translation>面板(&amp;R)</translation>
    </message>
    <message>
      <source>Overlay: {name}</source>
      <translation>叠加：{name}</translation>
    </message>
    <message>
      <source>Rooms</source>
      <translation>房间</translation>
    </message>
    <message>
      <source>In a window of its own</source>
      <translation>在单独的窗口中</translation>
    </message>
    <message>
      <source>Hide the room</source>
      <translation>隐藏此房间</translation>
    </message>
    <message>
      <source>Close this message</source>
      <translation>关闭此消息</translation>
    </message>
    <message>
      <source>Menu</source>
      <translation>菜单</translation>
    </message>
    <message>
      <source>Keys</source>
      <translation>按键</translation>
    </message>
    <message>
      <source>Game › New</source>
      <translation>对局 › 新建</translation>
    </message>
    <message>
      <source>There is no pass in this position.</source>
      <translation>此局面不能停着。</translation>
    </message>
    <message>
      <source>There is no move to play: the game is over or the search has not begun here.</source>
      <translation>没有可走的着法：对局已结束或此处的搜索尚未开始。</translation>
    </message>
    <message>
      <source>{player} resigns.</source>
      <translation>{player}认输。</translation>
    </message>
    <message>
      <source>Move to the left</source>
      <translation>移到左侧</translation>
    </message>
    <message>
      <source>Move to the right</source>
      <translation>移到右侧</translation>
    </message>
    <message>
      <source>Move to the bottom</source>
      <translation>移到底部</translation>
    </message>
    <message>
      <source>Move to the far right</source>
      <translation>移到最右侧</translation>
    </message>
    <message>
      <source>Move to the middle</source>
      <translation>移到中间</translation>
    </message>
    <message>
      <source>Save a picture…</source>
      <translation>保存图片…</translation>
    </message>
    <message>
      <source>Copy a picture</source>
      <translation>复制图片</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>比较</translation>
    </message>
    <message>
      <source>Nets</source>
      <translation>神经网络</translation>
    </message>
    <message>
      <source>Tree</source>
      <translation>搜索树</translation>
    </message>
    <message>
      <source>Search settings</source>
      <translation>搜索设置</translation>
    </message>
    <message>
      <source>Opponents</source>
      <translation>对手</translation>
    </message>
    <message>
      <source>Library</source>
      <translation>棋库</translation>
    </message>
    <message>
      <source>Blind spots</source>
      <translation>盲点</translation>
    </message>
    <message>
      <source>Inside the net</source>
      <translation>网络内部</translation>
    </message>
    <message>
      <source>Training</source>
      <translation>训练</translation>
    </message>
    <message>
      <source>The search begins again with {change}; it had {simulations}.</source>
      <translation>按 {change} 重新开始搜索；此前已有 {simulations}。</translation>
    </message>
    <message>
      <source>Flat Monte Carlo plays random games and asks no net; the search before had {simulations}.</source>
      <translation>平面蒙特卡洛只下随机对局，不使用网络；此前的搜索已有 {simulations}。</translation>
    </message>
    <message>
      <source>Undo</source>
      <translation>撤销</translation>
    </message>
    <message>
      <source>Icicle</source>
      <translation>冰柱图</translation>
    </message>
    <message>
      <source>Picture</source>
      <translation>树图</translation>
    </message>
    <message>
      <source>Players</source>
      <translation>双方棋手</translation>
    </message>
    <message>
      <source>Games of a folder</source>
      <translation>文件夹中的棋局</translation>
    </message>
    <message>
      <source>Block by block</source>
      <translation>逐块</translation>
    </message>
    <message>
      <source>Stones</source>
      <translation>棋子的作用</translation>
    </message>
    <message>
      <source>Reply</source>
      <translation>应手</translation>
    </message>
    <message>
      <source>Concepts</source>
      <translation>概念辨识</translation>
    </message>
    <message>
      <source>Learnt</source>
      <translation>学会</translation>
    </message>
    <message>
      <source>Channel atlas</source>
      <translation>通道图集</translation>
    </message>
    <message>
      <source>Attention</source>
      <translation>注意力</translation>
    </message>
    <message>
      <source>Map</source>
      <translation>地图</translation>
    </message>
    <message>
      <source>Graph</source>
      <translation>计算图</translation>
    </message>
    <message>
      <source>The game in the clipboard</source>
      <translation>剪贴板中的对局</translation>
    </message>
    <message>
      <source>{file}: {error} (and {more} more)</source>
      <translation>{file}：{error}（另有 {more} 个问题）</translation>
    </message>
    <message>
      <source>{file}: {error}</source>
      <translation>{file}：{error}</translation>
    </message>
    <message>
      <source>the first {count} of {all} simulations are checked for faults; “plyscope lint” checks all</source>
      <translation>共 {all} 次模拟，检查了前 {count} 次；“plyscope lint” 检查全部</translation>
    </message>
    <message>
      <source>{game}, {moves}: that game is kept.</source>
      <translation>{game}，{moves}：该棋局已保留。</translation>
    </message>
    <message>
      <source>{path!r} cannot be opened: {strerror}</source>
      <translation>{path!r} 无法打开：{strerror}</translation>
    </message>
    <message>
      <source>{net} is no net for {game}</source>
      <translation>{net} 不是用于{game}的网络</translation>
    </message>
    <message>
      <source>{game}, {moves}, and the games of {others} more trees: they are kept.</source>
      <translation>{game}，{moves}，以及另外 {others} 棵树的对局：均已保留。</translation>
    </message>
    <message>
      <source>{name} contains no game</source>
      <translation>{name} 中没有对局</translation>
    </message>
    <message>
      <source>the session's tree is left out: the net that valued it is not there or has changed since</source>
      <translation>会话中的树已略去：评估它的网络不存在或已改变</translation>
    </message>
    <message>
      <source>{file} cannot be opened: {error}</source>
      <translation>无法打开 {file}：{error}</translation>
    </message>
    <message>
      <source>{file}: the first of {count} games</source>
      <translation>{file}：{count} 局中的第一局</translation>
    </message>
    <message>
      <source>{error}; {source} takes its place</source>
      <translation>{error}；以 {source} 代替</translation>
    </message>
    <message>
      <source>the human net is left out: {error}</source>
      <translation>未使用人类网络：{error}</translation>
    </message>
    <message>
      <source>At most {most} trees are open at a time: close one first.</source>
      <translation>最多同时打开 {most} 棵树：请先关闭一棵。</translation>
    </message>
    <message>
      <source>The tree of {title} cannot be read: {why}. Its game is opened without it.</source>
      <translation>无法读取“{title}”的树：{why}。其对局已打开，但没有树。</translation>
    </message>
    <message>
      <source>Open it again</source>
      <translation>重新打开</translation>
    </message>
    <message>
      <source>At most {most} trees are open at a time: {rest} of the file are left out.</source>
      <translation>最多同时打开 {most} 棵树：文件中有 {rest} 棵未打开。</translation>
    </message>
    <message>
      <source>It is the only tree: another one has to be open to close it.</source>
      <translation>这是唯一的一棵树：另有一棵打开时才能关闭它。</translation>
    </message>
    <message>
      <source>{title} is the tree of another position: go there to compare.</source>
      <translation>“{title}”是另一局面的树：请到该局面再比较。</translation>
    </message>
    <message>
      <source>It is the tree shown: choose another one to compare it with.</source>
      <translation>这就是正在显示的树：请另选一棵与它比较。</translation>
    </message>
    <message>
      <source>Open it</source>
      <translation>打开这一局</translation>
    </message>
    <message>
      <source>Back to it</source>
      <translation>回到该局</translation>
    </message>
    <message>
      <source>The tree cannot be kept, so it stays open: {why}.</source>
      <translation>无法保留这棵树，因此它仍然打开：{why}。</translation>
    </message>
    <message>
      <source>Trees stay in memory, because they cannot be written: {why}</source>
      <translation>树无法写入文件，因此留在内存中：{why}</translation>
    </message>
    <message>
      <source>There is no tree yet.</source>
      <translation>还没有搜索树。</translation>
    </message>
    <message>
      <source>The tree is on another machine; only one of this machine can be saved.</source>
      <translation>这棵树在另一台机器上；只能保存本机的树。</translation>
    </message>
    <message>
      <source>At most {most} unsaved games are kept. Dropped: {game}, {moves} moves.</source>
      <translation>最多保留 {most} 局未保存的棋局。已丢弃：{game}，共 {moves} 手。</translation>
    </message>
    <message>
      <source>Discard</source>
      <translation>放弃</translation>
    </message>
    <message>
      <source>The tree that was kept is left out: {why}.</source>
      <translation>保留的树未被使用：{why}。</translation>
    </message>
    <message>
      <source>“{title}” is kept as it is. You go on in a copy.</source>
      <translation>“{title}”已原样保留。您将在副本中继续。</translation>
    </message>
    <message>
      <source>“{title}” is closed.</source>
      <translation>“{title}”已关闭。</translation>
    </message>
    <message>
      <source>&amp;Search settings</source>
      <translation>搜索设置(&amp;S)</translation>
    </message>
    <message>
      <source>&amp;Workspace</source>
      <translation>工作区(&amp;W)</translation>
    </message>
    <message>
      <source>A fault in Plyscope: {fault}. The log has the details; what is shown may be incomplete.</source>
      <translation>Plyscope 内部出错：{fault}。详情见日志；显示的内容可能不完整。</translation>
    </message>
    <message>
      <source>The whole tree, to be opened again</source>
      <translation>整棵树，可以再次打开</translation>
    </message>
    <message>
      <source>A page that shows every moment of the search</source>
      <translation>显示搜索每一时刻的网页</translation>
    </message>
    <message>
      <source>An animated picture of the tree that grows</source>
      <translation>逐渐生长的搜索树的动画图片</translation>
    </message>
    <message>
      <source>A drawing</source>
      <translation>图形</translation>
    </message>
    <message>
      <source>Nodes as JSON</source>
      <translation>节点（JSON）</translation>
    </message>
    <message>
      <source>Nodes as a table</source>
      <translation>节点（表格）</translation>
    </message>
    <message>
      <source>A graph for Graphviz</source>
      <translation>Graphviz 图</translation>
    </message>
    <message>
      <source>Save the tree</source>
      <translation>保存搜索树</translation>
    </message>
    <message>
      <source>Share this search</source>
      <translation>分享这次搜索</translation>
    </message>
    <message>
      <source>The game with its variations and comments, the current move, the search settings and the net.</source>
      <translation>对局及其变化与注释、当前着法、搜索设置与网络。</translation>
    </message>
    <message>
      <source>Include the search tree, at most {tree_bytes}</source>
      <translation>也保存搜索树，至多 {tree_bytes}</translation>
    </message>
    <message>
      <source>Open a game, a session or a tree</source>
      <translation>打开棋局、会话或搜索树</translation>
    </message>
    <message>
      <source>Save the game</source>
      <translation>保存对局</translation>
    </message>
    <message>
      <source>The tree is left out of the session: this position has not been searched yet.</source>
      <translation>会话中不含搜索树：此局面尚未搜索。</translation>
    </message>
    <message>
      <source>{name} is the tree of another position: open it as the first search, then compare.</source>
      <translation>{name} 是另一个局面的搜索树：请先把它作为第一次搜索打开，再比较。</translation>
    </message>
    <message>
      <source>Include the search trees, at most {tree_bytes}</source>
      <translation>包括搜索树，最多 {tree_bytes}</translation>
    </message>
    <message>
      <source>When you open the file, its figures are shown at once and the search can continue.</source>
      <translation>再次打开时数据立即可见，搜索可以继续。</translation>
    </message>
    <message>
      <source>Games, sessions and trees ({patterns});;All files (*)</source>
      <translation>棋局、会话和搜索树 ({patterns});;所有文件 (*)</translation>
    </message>
    <message>
      <source>Choose the file…</source>
      <translation>选择文件…</translation>
    </message>
    <message>
      <source>The engine is still being loaded: open {name} in a moment.</source>
      <translation>引擎仍在载入：请稍后再打开 {name}。</translation>
    </message>
    <message>
      <source>The games of the {trees} open trees with their variations and comments, the current moves, the search settings and the nets.</source>
      <translation>{trees} 棵打开的树的对局，连同变化和评注、当前着法、搜索设置和网络。</translation>
    </message>
    <message>
      <source>{name} is not written: {error}</source>
      <translation>{name} 未写入：{error}</translation>
    </message>
    <message>
      <source>The net runs on the GPU.</source>
      <translation>网络在 GPU 上运行。</translation>
    </message>
    <message>
      <source>The net runs on the processor.</source>
      <translation>在处理器上运行。</translation>
    </message>
    <message>
      <source>The GPU was asked for, but the net runs on the processor.</source>
      <translation>要求使用 GPU，但网络在处理器上运行。</translation>
    </message>
    <message>
      <source>No net is used.</source>
      <translation>没有使用网络评估。</translation>
    </message>
    <message>
      <source>not on the GPU</source>
      <translation>未在 GPU 上</translation>
    </message>
    <message>
      <source>Provider</source>
      <translation>运行设备</translation>
    </message>
    <message>
      <source>{runtime} evaluates it.</source>
      <translation>由 {runtime} 计算。</translation>
    </message>
    <message>
      <source>Page of the guide</source>
      <translation>指南页面</translation>
    </message>
    <message>
      <source>Pages of the guide</source>
      <translation>指南目录</translation>
    </message>
    <message>
      <source>Search the guide</source>
      <translation>搜索指南</translation>
    </message>
    <message>
      <source>Forward</source>
      <translation>前进</translation>
    </message>
    <message>
      <source>No page contains this.</source>
      <translation>没有页面包含此内容。</translation>
    </message>
    <message>
      <source>This page is not translated yet.</source>
      <translation>本页尚未翻译。</translation>
    </message>
    <message>
      <source>{title}  ({n})</source>
      <translation>{title}（{n}）</translation>
    </message>
    <message>
      <source>Search a command or a key</source>
      <translation>搜索命令或按键</translation>
    </message>
    <message>
      <source>Commands</source>
      <translation>命令列表</translation>
    </message>
    <message>
      <source>Press the new key here</source>
      <translation>在此按下新的按键</translation>
    </message>
    <message>
      <source>press the new key here</source>
      <translation>在此按新键</translation>
    </message>
    <message>
      <source>Reassign</source>
      <translation>接管</translation>
    </message>
    <message>
      <source>No key</source>
      <translation>取消按键</translation>
    </message>
    <message>
      <source>Default key</source>
      <translation>默认按键</translation>
    </message>
    <message>
      <source>Restore default keys</source>
      <translation>恢复默认按键</translation>
    </message>
    <message>
      <source>Key for “{actions}”</source>
      <translation>“{actions}”的按键</translation>
    </message>
    <message>
      <source>The search of this step: n = {simulations}</source>
      <translation>这一步的搜索：n = {simulations}</translation>
    </message>
    <message>
      <source>Use the buttons below the picture until there are {rest} {units}.</source>
      <translation>用图下方的按钮，做到 {rest} {units}。</translation>
    </message>
    <message>
      <source>stem</source>
      <translation>主干入口</translation>
    </message>
    <message>
      <source>Play any move: click it on the board.</source>
      <translation>任走一步：在棋盘上点击。</translation>
    </message>
    <message>
      <source>Click any row of the moves.</source>
      <translation>点击着法表的任意一行。</translation>
    </message>
    <message>
      <source>Make one simulation.</source>
      <translation>做一次模拟。</translation>
    </message>
    <message>
      <source>Move the slider below the picture.</source>
      <translation>移动图下方的滑块。</translation>
    </message>
    <message>
      <source>Start a run and wait for its first iteration.</source>
      <translation>开始一次训练，等到第一轮结束。</translation>
    </message>
    <message>
      <source>Move the slider “As if it ended here” to “{rest}”.</source>
      <translation>把滑块“假如在此结束”移到“{rest}”。</translation>
    </message>
    <message>
      <source>Play {rest}: click it on the board.</source>
      <translation>走 {rest}：在棋盘上点击。</translation>
    </message>
    <message>
      <source>Click the row of {rest} among the moves.</source>
      <translation>在着法表里点击 {rest} 那一行。</translation>
    </message>
    <message>
      <source>Start the search: press Space or Analyse.</source>
      <translation>开始搜索：按空格键或“分析局面”。</translation>
    </message>
    <message>
      <source>Stop the search: press Space or Stop.</source>
      <translation>停止搜索：按空格键或“停止”。</translation>
    </message>
    <message>
      <source>In the timeline, go to simulation {rest}.</source>
      <translation>在时间线中转到第 {rest} 次模拟。</translation>
    </message>
    <message>
      <source>Play a simulation: press the last button below the board.</source>
      <translation>播放一次模拟：按棋盘下的最后一个按钮。</translation>
    </message>
    <message>
      <source>Press ◎ below the board and guess until {rest} guesses were right.</source>
      <translation>按棋盘下的“◎”，一直猜到猜对 {rest} 次。</translation>
    </message>
    <message>
      <source>Press Examine the net, and wait: it takes a minute or more.</source>
      <translation>按“考察网络”并等待：需要一分钟或更久。</translation>
    </message>
    <message>
      <source>Above the page of the run, choose “Diagnosis”, and wait for what it finds.</source>
      <translation>在训练页上方选“诊断”，等它给出发现。</translation>
    </message>
    <message>
      <source>In the room “{room}”, choose “{part}”.</source>
      <translation>在“{room}”面板里选择“{part}”。</translation>
    </message>
    <message>
      <source>Search until there are {rest} simulations.</source>
      <translation>搜索到 {rest} 次模拟。</translation>
    </message>
    <message>
      <source>Start a run and wait for {rest} iterations.</source>
      <translation>开始一次训练，等到 {rest} 轮。</translation>
    </message>
    <message>
      <source>block {number}</source>
      <translation>第 {number} 块</translation>
    </message>
    <message>
      <source>Open “{rest}” in the View menu.</source>
      <translation>在“视图”菜单里打开“{rest}”。</translation>
    </message>
    <message>
      <source>Search until {rest} simulations, or until a proof.</source>
      <translation>搜索到 {rest} 次模拟，或者直到得到证明。</translation>
    </message>
    <message>
      <source>Wait until the run has made {rest} iterations.</source>
      <translation>等到训练完成 {rest} 轮。</translation>
    </message>
    <message>
      <source>Choose the overlay “{rest}”.</source>
      <translation>选择叠加“{rest}”。</translation>
    </message>
    <message>
      <source>Go to the workspace {rest}.</source>
      <translation>转到工作区“{rest}”。</translation>
    </message>
    <message>
      <source>Move the slider below the picture to {rest}.</source>
      <translation>把图下方的滑块移到 {rest}。</translation>
    </message>
    <message>
      <source>In *What would it take?*, press Find the cause for {rest}.</source>
      <translation>在“需要什么才能找到？”里，为 {rest} 按“查找原因”。</translation>
    </message>
    <message>
      <source>Lessons (*.txt);;All files (*)</source>
      <translation>课程 (*.txt);;所有文件 (*)</translation>
    </message>
    <message>
      <source>Done</source>
      <translation>完成</translation>
    </message>
    <message>
      <source>Put it back</source>
      <translation>恢复局面</translation>
    </message>
    <message>
      <source>The engine is still being loaded: open the lesson in a moment.</source>
      <translation>引擎还在加载：请稍后再打开课程。</translation>
    </message>
    <message>
      <source>The lesson's game and settings stay until you change them.</source>
      <translation>课程的棋局和设置会保留，直到你改变它们。</translation>
    </message>
    <message>
      <source>Restore my settings</source>
      <translation>恢复我的设置</translation>
    </message>
    <message>
      <source>Not yet.</source>
      <translation>还不对。</translation>
    </message>
    <message>
      <source>The board shows another position than this step.</source>
      <translation>棋盘上的局面与这一步不同。</translation>
    </message>
    <message>
      <source>There is no figure to compare with yet; wait for the search.</source>
      <translation>还没有可比较的数值；请等待搜索。</translation>
    </message>
    <message>
      <source>✓ {task}</source>
      <translation>✓ {task}</translation>
    </message>
    <message>
      <source>Everything</source>
      <translation>全部</translation>
    </message>
    <message>
      <source>Notes</source>
      <translation>消息</translation>
    </message>
    <message>
      <source>Warnings</source>
      <translation>警告</translation>
    </message>
    <message>
      <source>Errors</source>
      <translation>错误</translation>
    </message>
    <message>
      <source>Log</source>
      <translation>日志</translation>
    </message>
    <message>
      <source>Lowest level shown</source>
      <translation>从哪一级开始显示</translation>
    </message>
    <message>
      <source>The log is empty.</source>
      <translation>尚无记录。</translation>
    </message>
    <message>
      <source>the last {lines} of {count} lines</source>
      <translation>共 {count} 行中的最后 {lines} 行</translation>
    </message>
    <message>
      <source>The machine that searches · the time for a question and its answer · snapshots and bytes a second.</source>
      <translation>进行搜索的机器 · 一问一答的时间 · 每秒的快照数和字节数。</translation>
    </message>
    <message>
      <source>Search on another machine</source>
      <translation>在另一台机器上搜索</translation>
    </message>
    <message>
      <source>Address of a machine that ssh reaches without a password: user@host or ssh://host,
or of a Ray cluster: ray://HOST:10001, HOST:PORT, or auto for one that this machine belongs to.
The other machine needs this version of Plyscope; nets are sent to it.</source>
      <translation>ssh 无需密码即可登录的机器的地址：user@host 或 ssh://host；
或 Ray 集群的地址：ray://HOST:10001、HOST:PORT，或用 auto 表示本机所属的集群。
另一台机器须装有此版本的 Plyscope；网络会发送过去。</translation>
    </message>
    <message>
      <source>{machine} · {latency} ms · {snapshots}/s · {bytes}/s</source>
      <translation>{machine} · {latency} 毫秒 · {snapshots} 次/秒 · {bytes}/秒</translation>
    </message>
    <message>
      <source>The search runs on this machine: {reason}.</source>
      <translation>搜索在本机运行：{reason}。</translation>
    </message>
    <message>
      <source>{machine}: no connection</source>
      <translation>{machine}：无连接</translation>
    </message>
    <message>
      <source>connecting to {address}…</source>
      <translation>正在连接 {address}…</translation>
    </message>
    <message>
      <source>the connection to {machine} was lost</source>
      <translation>与 {machine} 的连接已中断</translation>
    </message>
    <message>
      <source>Find a command, a setting, a room, a game</source>
      <translation>查找命令、设置、房间或棋类</translation>
    </message>
    <message>
      <source>Commands found</source>
      <translation>找到的命令</translation>
    </message>
    <message>
      <source>No matches.</source>
      <translation>无匹配项。</translation>
    </message>
    <message>
      <source>&amp;{number}  {path} — no longer there</source>
      <translation>&amp;{number}  {path} — 已不存在</translation>
    </message>
    <message>
      <source>A recovered game cannot be read: {sentence} The file is kept as {aside}.</source>
      <translation>一局恢复的棋无法读取：{sentence} 文件保留为 {aside}。</translation>
    </message>
    <message>
      <source>The open game is not kept for the next start: {sentence}</source>
      <translation>当前对局无法为下次启动保留：{sentence}</translation>
    </message>
    <message>
      <source>Positions the net evaluated per second.</source>
      <translation>网络每秒评估的局面数。</translation>
    </message>
    <message>
      <source>Mean number of positions per batch of the net.</source>
      <translation>每批提交给网络的平均局面数。</translation>
    </message>
    <message>
      <source>Share of leaves answered from the cache instead of the net.</source>
      <translation>由缓存而非网络给出价值的叶节点占比。</translation>
    </message>
    <message>
      <source>Nodes in the tree.</source>
      <translation>树中的节点数。</translation>
    </message>
    <message>
      <source>Memory the tree and the cache hold, of their budget; the bar shows the share.</source>
      <translation>树与缓存所占内存及其预算；条形显示占比。</translation>
    </message>
    <message>
      <source>Memory in use on the GPU, by all programs together; the bar shows the share.</source>
      <translation>GPU 上所有程序共同使用的显存；条形显示占比。</translation>
    </message>
    <message>
      <source>Mean and maximum depth of the leaves below this position.</source>
      <translation>此局面之下叶节点的平均深度与最大深度。</translation>
    </message>
    <message>
      <source>What evaluates the leaves, and the device it runs on.</source>
      <translation>由什么评估叶节点，以及实际在何处运行。</translation>
    </message>
    <message>
      <source>That is the memory in use by all programs together.</source>
      <translation>即所有程序共同使用的显存。</translation>
    </message>
    <message>
      <source>Simulations per second, over the last second of searching.</source>
      <translation>每秒模拟次数，取最近一秒的搜索。</translation>
    </message>
    <message>
      <source>To draw the window once takes up to {value} ms.</source>
      <translation>绘制一次窗口最多需 {value} 毫秒。</translation>
    </message>
    <message>
      <source>{meaning}
Not on a GPU: {note}.</source>
      <translation>{meaning}
未在 GPU 上运行：{note}。</translation>
    </message>
    <message>
      <source>depth {mean:.1f} / {most} plies</source>
      <translation>深度 {mean:.1f} / {most} 手</translation>
    </message>
    <message>
      <source>depth {none}</source>
      <translation>深度 {none}</translation>
    </message>
    <message>
      <source>sims/s</source>
      <translation>模拟/秒</translation>
    </message>
    <message>
      <source>GPU {used} of {budget}</source>
      <translation>GPU {used} / {budget}</translation>
    </message>
    <message>
      <source>evals/s</source>
      <translation>评估/秒</translation>
    </message>
    <message>
      <source>{nodes} nodes</source>
      <translation>{nodes} 节点</translation>
    </message>
    <message>
      <source>{used} of {budget}</source>
      <translation>{used} / {budget}</translation>
    </message>
    <message>
      <source>{batch} pos/batch</source>
      <translation>{batch} 局面/批</translation>
    </message>
    <message>
      <source>cache {share}</source>
      <translation>缓存 {share}</translation>
    </message>
    <message>
      <source>Connect Four</source>
      <translation>四子棋</translation>
    </message>
    <message>
      <source>loading…</source>
      <translation>正在载入…</translation>
    </message>
    <message>
      <source>Simulations for each new position; then Space continues without limit.</source>
      <translation>每个新局面的模拟次数；达到后按空格键无限继续。</translation>
    </message>
    <message>
      <source>Search settings (Ctrl+,)</source>
      <translation>搜索设置 (Ctrl+,)</translation>
    </message>
    <message>
      <source>Light or dark (Ctrl+T)</source>
      <translation>浅色或深色 (Ctrl+T)</translation>
    </message>
    <message>
      <source>The game</source>
      <translation>当前棋类</translation>
    </message>
    <message>
      <source>What evaluates the positions</source>
      <translation>由什么评估局面</translation>
    </message>
    <message>
      <source>No limit</source>
      <translation>无上限</translation>
    </message>
    <message>
      <source>Another number…</source>
      <translation>其他数目…</translation>
    </message>
    <message>
      <source>Simulations for each new position</source>
      <translation>每个新局面的模拟次数</translation>
    </message>
    <message>
      <source>Analyse</source>
      <translation>分析局面</translation>
    </message>
    <message>
      <source>Search to the limit</source>
      <translation>搜索到上限</translation>
    </message>
    <message>
      <source>no limit</source>
      <translation>不设上限</translation>
    </message>
    <message>
      <source>no key</source>
      <translation>无按键</translation>
    </message>
    <message>
      <source>Stop searching</source>
      <translation>停止搜索</translation>
    </message>
    <message>
      <source>to {simulations}</source>
      <translation>至 {simulations}</translation>
    </message>
    <message>
      <source>The game ({key} for another size)</source>
      <translation>棋类（{key} 选择其他尺寸）</translation>
    </message>
    <message>
      <source>{simulations} of {now}</source>
      <translation>第 {simulations} 次，共 {now} 次</translation>
    </message>
    <message>
      <source>Name (empty: its game and moves)</source>
      <translation>名称（留空：以棋类和着法为名）</translation>
    </message>
    <message>
      <source>Open trees</source>
      <translation>打开的树</translation>
    </message>
    <message>
      <source>Keep this tree and go on in a copy</source>
      <translation>保留这棵树并在副本中继续</translation>
    </message>
    <message>
      <source>Close this tree</source>
      <translation>关闭这棵树</translation>
    </message>
    <message>
      <source>Save or export…</source>
      <translation>保存或导出…</translation>
    </message>
    <message>
      <source>Keep in memory</source>
      <translation>留在内存中</translation>
    </message>
    <message>
      <source>Rename the tree</source>
      <translation>重命名树</translation>
    </message>
    <message>
      <source>Show</source>
      <translation>显示</translation>
    </message>
    <message>
      <source>Compare with the tree shown</source>
      <translation>与正在显示的树比较</translation>
    </message>
    <message>
      <source>Close</source>
      <translation>关闭此树</translation>
    </message>
    <message>
      <source>The workspace</source>
      <translation>工作区</translation>
    </message>
    <message>
      <source>Line of {first}: {plies} of {stones} plies</source>
      <translation>{first} 的变化：{stones} 手中的 {plies} 手</translation>
    </message>
    <message>
      <source>{line} · wheel steps, Shift+click plays it</source>
      <translation>{line} · 滚轮步进，Shift+单击走出</translation>
    </message>
    <message>
      <source>{line}, no longer the principal variation</source>
      <translation>{line}，已不是主要变例</translation>
    </message>
    <message>
      <source>Black</source>
      <translation>黑方</translation>
    </message>
    <message>
      <source>White</source>
      <translation>白方</translation>
    </message>
    <message>
      <source>Red</source>
      <translation>红方</translation>
    </message>
    <message>
      <source>Yellow</source>
      <translation>黄方</translation>
    </message>
    <message>
      <source>Blue</source>
      <translation>蓝方</translation>
    </message>
    <message>
      <source>pass</source>
      <translation>停一手</translation>
    </message>
    <message>
      <source>{player} passed</source>
      <translation>{player}停一手</translation>
    </message>
    <message>
      <source>{action}: win {win}, draw {draw}, loss {loss}, as the net expects it</source>
      <translation>{action}：网络预期胜 {win}、和 {draw}、负 {loss}</translation>
    </message>
    <message>
      <source>exact: {result} for {player}, this move counted</source>
      <translation>精确：{player} {result}，含本手</translation>
    </message>
    <message>
      <source>{action}: the players that the human net imitates play it with {share}, as that net claims</source>
      <translation>{action}：按人类网络的说法，它所模仿的棋手下这一着的可能性为 {share}</translation>
    </message>
    <message>
      <source>exact: {result} for {player}, {discs} discs, {lost} lost</source>
      <translation>精确：{player} {result}，{discs} 子，损失 {lost} 子</translation>
    </message>
    <message>
      <source>exact: {result} in {plies} plies for {player}, this move counted</source>
      <translation>精确：{player} {plies} 手{result}，含本手</translation>
    </message>
    <message>
      <source>, lead {lead} points (standard deviation of the score {spread})</source>
      <translation>，目差 {lead} 目（得分的标准差 {spread}）</translation>
    </message>
    <message>
      <source>{point}: ownership {figure} for {player}</source>
      <translation>{point}：归属{player} {figure}</translation>
    </message>
    <message>
      <source>Q lies in {ends} to {ends_2} with 95 %, were its simulations independent</source>
      <translation>若各次模拟相互独立，Q 有 95 % 的把握在 {ends} 至 {ends_2} 之间</translation>
    </message>
    <message>
      <source>{action}: left out of the search, P {left_out}</source>
      <translation>{action}：未列入搜索，P {left_out}</translation>
    </message>
    <message>
      <source>{action}: {player} may not play here now, {reason}</source>
      <translation>{action}：{player}现在不能走这里，{reason}</translation>
    </message>
    <message>
      <source>{action}: forbidden to {player}, {forbidden}</source>
      <translation>{action}：{player}禁手，{forbidden}</translation>
    </message>
    <message>
      <source>{action}: the same as {kept} by symmetry, searched as that</source>
      <translation>{action}：与 {kept} 对称相同，按其搜索</translation>
    </message>
    <message>
      <source>, {lost} lost</source>
      <translation>，损失 {lost} 目</translation>
    </message>
    <message>
      <source>{q} of {backups}</source>
      <translation>{q}（{backups} 次）</translation>
    </message>
    <message>
      <source>Exact result of each move and its distance</source>
      <translation>各着法的精确结果及其距离</translation>
    </message>
    <message>
      <source>Result with best play after each move and the plies to the end, the move counted; ringed: the best moves.</source>
      <translation>各着法之后双方最佳应对的结果及终局手数，含本手；加环者为最佳着法。</translation>
    </message>
    <message>
      <source> · {wasted} of the visits on worse moves</source>
      <translation>· {wasted} 的访问用于较差的着法</translation>
    </message>
    <message>
      <source>Discs that the side to move has more at the end with best play after each move; empty cells are the winner's; ringed: the best moves.</source>
      <translation>每着之后双方最佳应对时，轮走方终局多出的子数；空格归胜方；圈出者为最佳着法。</translation>
    </message>
    <message>
      <source> · every move wins</source>
      <translation>· 每个着法都胜</translation>
    </message>
    <message>
      <source> · every move draws</source>
      <translation>· 每个着法都和</translation>
    </message>
    <message>
      <source> · every move loses</source>
      <translation>· 每个着法都负</translation>
    </message>
    <message>
      <source>discs, {mover}</source>
      <translation>子差，{mover}</translation>
    </message>
    <message>
      <source>What the room Inside shows of the net, cell by cell: of the part in sight there</source>
      <translation>面板“网络内部”中正显示的那一部分所显示的内容，逐格显示</translation>
    </message>
    <message>
      <source>{mover}: not read yet</source>
      <translation>{mover}：尚未读取</translation>
    </message>
    <message>
      <source>The more visits a value is based on (logarithmic), the more opaque it is.</source>
      <translation>数值所依据的访问次数（取对数）越多，绘制得越实。</translation>
    </message>
    <message>
      <source>higher Q</source>
      <translation>Q 更高</translation>
    </message>
    <message>
      <source>Orange, dotted ring: a higher Q than the most visited move's.</source>
      <translation>橙色点线框：Q 高于访问次数最多的着法。</translation>
    </message>
    <message>
      <source>best move</source>
      <translation>最佳着法</translation>
    </message>
    <message>
      <source>Blue ring: the best move.</source>
      <translation>蓝色框：最佳着法。</translation>
    </message>
    <message>
      <source>highest</source>
      <translation>最高</translation>
    </message>
    <message>
      <source>Ring: the highest of them.</source>
      <translation>圆环：其中最高者。</translation>
    </message>
    <message>
      <source>first move</source>
      <translation>第一着</translation>
    </message>
    <message>
      <source>Ring: the first move of the line.</source>
      <translation>圆环：变化的第一着。</translation>
    </message>
    <message>
      <source>Bar: the 95 % interval of the value, from −1 on the left to +1 on the right.</source>
      <translation>横条：价值的 95 % 置信区间，左端为 −1，右端为 +1。</translation>
    </message>
    <message>
      <source>in {plies}</source>
      <translation>{plies} 手内</translation>
    </message>
    <message>
      <source>{mover}: not analysed yet</source>
      <translation>{mover}：尚未分析</translation>
    </message>
    <message>
      <source>Score lead in points after each move</source>
      <translation>走完各着后的目差（单位：目）</translation>
    </message>
    <message>
      <source>Points lost</source>
      <translation>损失目数</translation>
    </message>
    <message>
      <source>Points lost by each move: the lead after the move to play less the lead after this one</source>
      <translation>各着法损失的目数：走应走之着后的目差减去走这一着后的目差</translation>
    </message>
    <message>
      <source>Ownership</source>
      <translation>归属</translation>
    </message>
    <message>
      <source>To whom the net expects each point to belong at the end; the larger the square, the surer</source>
      <translation>网络预期终局时各点归谁所有；方块越大越有把握</translation>
    </message>
    <message>
      <source>Mean ownership</source>
      <translation>平均归属</translation>
    </message>
    <message>
      <source>Ownership averaged over the most visited positions of the tree from the one shown on, weighted by visits</source>
      <translation>从所示局面起，对树中访问最多的各局面的归属按访问次数取加权平均</translation>
    </message>
    <message>
      <source>{first} or {second}, as the net expects it, without search</source>
      <translation>归{first}或{second}，按网络预期，不经搜索</translation>
    </message>
    <message>
      <source>{first} or {second}, mean of {count} positions of the tree</source>
      <translation>归{first}或{second}，树中 {count} 个局面的平均</translation>
    </message>
    <message>
      <source>the net gives no score leads</source>
      <translation>该网络不给出目差</translation>
    </message>
    <message>
      <source>not analysed yet</source>
      <translation>尚未分析</translation>
    </message>
    <message>
      <source>points, {mover}</source>
      <translation>单位：目，{mover}</translation>
    </message>
    <message>
      <source>Prior P</source>
      <translation>先验 P</translation>
    </message>
    <message>
      <source>The policy as selection uses it, on a logarithmic scale</source>
      <translation>选择所用的策略，对数刻度</translation>
    </message>
    <message>
      <source>Net prior</source>
      <translation>网络先验</translation>
    </message>
    <message>
      <source>The net's policy before noise, on a logarithmic scale</source>
      <translation>加噪声之前的网络策略，对数刻度</translation>
    </message>
    <message>
      <source>Policy π</source>
      <translation>策略 π</translation>
    </message>
    <message>
      <source>The policy that comes out of the search</source>
      <translation>搜索得出的策略</translation>
    </message>
    <message>
      <source>Human P</source>
      <translation>人类的 P</translation>
    </message>
    <message>
      <source>How likely the players that the human net imitates play each move, as that net claims, on a logarithmic scale</source>
      <translation>人类网络所模仿的棋手下各着法的可能性，是该网络的说法，按对数刻度</translation>
    </message>
    <message>
      <source>this selection rule uses no priors</source>
      <translation>此选择规则不使用先验概率</translation>
    </message>
    <message>
      <source>no net: uniform policy</source>
      <translation>没有网络：策略均匀</translation>
    </message>
    <message>
      <source>Visits without proved losses</source>
      <translation>去除已证明为负者的访问次数</translation>
    </message>
    <message>
      <source>{mover} · log</source>
      <translation>{mover} · 对数</translation>
    </message>
    <message>
      <source>changed by noise or temperature</source>
      <translation>经噪声或温度调整</translation>
    </message>
    <message>
      <source>Improved policy: the prior, raised where Q is above the node's value and lowered below</source>
      <translation>改进策略：Q 高于节点价值处提高先验概率，低于处降低</translation>
    </message>
    <message>
      <source>Visits without those that only noise or early doubt explains, no proved loss among them</source>
      <translation>去除仅由噪声或早期不确定性带来的访问，也不含已证明为负者</translation>
    </message>
    <message>
      <source>not evaluated yet</source>
      <translation>尚未评估</translation>
    </message>
    <message>
      <source>liberties of {players} and {players_2} · orange: atari · red: ladder</source>
      <translation>{players}和{players_2}的气 · 橙色：被叫吃 · 红色：征子</translation>
    </message>
    <message>
      <source>of {players} and {players_2}, as counted</source>
      <translation>{players}与{players_2}，按终局计算</translation>
    </message>
    <message>
      <source>held by {players} or {players_2} for certain</source>
      <translation>{players}或{players_2}确定守住</translation>
    </message>
    <message>
      <source>Threats</source>
      <translation>威胁</translation>
    </message>
    <message>
      <source>Fives, fours and threes of both sides</source>
      <translation>双方的五、四、三</translation>
    </message>
    <message>
      <source>Chains</source>
      <translation>棋串</translation>
    </message>
    <message>
      <source>Liberties of each chain, chains in atari, and chains that a ladder catches</source>
      <translation>每块棋串的气、被打吃的棋串，以及征子能吃掉的棋串</translation>
    </message>
    <message>
      <source>A number gives a chain's liberties. Orange: in atari, with its last liberty. Red: caught, even if it runs or captures. Red and dashed: caught if the opponent plays at a triangle now.</source>
      <translation>数字为棋串的气数。橙色：被打吃，并标出最后一口气。红色：即使逃跑或提子也会被吃。红色虚线：对方现在走三角处即可吃掉。</translation>
    </message>
    <message>
      <source>Area</source>
      <translation>地盘</translation>
    </message>
    <message>
      <source>What each side holds even if it passes from now on; when the game is over, whose each point is</source>
      <translation>双方即使从此停着也能守住的地方；终局后显示每一点的归属</translation>
    </message>
    <message>
      <source>A large square: held by chains that live even if their player passes from now on. Small: counted for that player at the end of the game.</source>
      <translation>大方块：由即使一方从此停着也能活的棋串守住。小方块：终局时计为该方。</translation>
    </message>
    <message>
      <source>three</source>
      <translation>三</translation>
    </message>
    <message>
      <source>four</source>
      <translation>四</translation>
    </message>
    <message>
      <source>five</source>
      <translation>五</translation>
    </message>
    <message>
      <source>What a stone of either side would make on an empty point: filled when it wins or is open at both ends, else outlined.</source>
      <translation>任一方在空点落子所成的形：获胜或两端皆活者填实，否则仅画轮廓。</translation>
    </message>
    <message>
      <source>made by {players} or {players_2}</source>
      <translation>由{players}或{players_2}形成</translation>
    </message>
    <message>
      <source>{n} in a row</source>
      <translation>{n} 连</translation>
    </message>
    <message>
      <source>open {row}</source>
      <translation>活{row}</translation>
    </message>
    <message>
      <source>Off</source>
      <translation>关</translation>
    </message>
    <message>
      <source>The board alone</source>
      <translation>只显示棋盘</translation>
    </message>
    <message>
      <source>Value of each move: exact where proved, else Q</source>
      <translation>各着法的价值：已证明者为精确值，否则为 Q</translation>
    </message>
    <message>
      <source>Searched value of each move for the side that plays it, centred at 0</source>
      <translation>各着法的搜索价值，以走该着法的一方为准，以 0 为中心</translation>
    </message>
    <message>
      <source>Net value</source>
      <translation>网络价值</translation>
    </message>
    <message>
      <source>The net's own value of the position after each move</source>
      <translation>网络自身对各着法之后局面的价值</translation>
    </message>
    <message>
      <source>Net W/D/L</source>
      <translation>网络胜/和/负</translation>
    </message>
    <message>
      <source>Win, draw and loss after each move, as the net expects them without search; the bar has all three</source>
      <translation>网络不搜索时预期的每着之后的胜、和、负；条形显示三者</translation>
    </message>
    <message>
      <source>leaves are evaluated by rollouts: no net</source>
      <translation>叶节点由随机走子评估：没有网络</translation>
    </message>
    <message>
      <source>the net has not evaluated any move yet</source>
      <translation>网络尚未评估任何着法</translation>
    </message>
    <message>
      <source>win and draw, {mover}</source>
      <translation>胜率与和棋率，{mover}</translation>
    </message>
    <message>
      <source>Share of the visits and their number</source>
      <translation>访问占比与访问次数</translation>
    </message>
    <message>
      <source>Exploration term of the selection formula</source>
      <translation>选择公式的探索项</translation>
    </message>
    <message>
      <source>ones: {mover} moves</source>
      <translation>全 1：{mover}走</translation>
    </message>
    <message>
      <source>zeros: {mover} moves</source>
      <translation>全 0：{mover}走</translation>
    </message>
    <message>
      <source>last move</source>
      <translation>上一手</translation>
    </message>
    <message>
      <source>chips left</source>
      <translation>剩余的筹码</translation>
    </message>
    <message>
      <source>chips taken</source>
      <translation>已取走的筹码</translation>
    </message>
    <message>
      <source>{mover} (to move)</source>
      <translation>{mover}（轮走方）</translation>
    </message>
    <message>
      <source>plane {place}</source>
      <translation>平面 {place}</translation>
    </message>
    <message>
      <source>own stones</source>
      <translation>己方棋子</translation>
    </message>
    <message>
      <source>the opponent's stones</source>
      <translation>对方的棋子</translation>
    </message>
    <message>
      <source>first player's stones</source>
      <translation>先手的棋子</translation>
    </message>
    <message>
      <source>second player's stones</source>
      <translation>后手的棋子</translation>
    </message>
    <message>
      <source>empty cells</source>
      <translation>空的格子</translation>
    </message>
    <message>
      <source>own +1, opponent's −1</source>
      <translation>己方 +1，对方 −1</translation>
    </message>
    <message>
      <source>first player's +1, second's −1</source>
      <translation>先手 +1，后手 −1</translation>
    </message>
    <message>
      <source>where a stone may go</source>
      <translation>可以落子之处</translation>
    </message>
    <message>
      <source>ones: first player moves</source>
      <translation>全 1：轮到先手</translation>
    </message>
    <message>
      <source>ones: second player moves</source>
      <translation>全 1：轮到后手</translation>
    </message>
    <message>
      <source>+1: first player moves, −1: second</source>
      <translation>+1：轮到先手，−1：轮到后手</translation>
    </message>
    <message>
      <source>row, from 0 to 1</source>
      <translation>行，从 0 到 1</translation>
    </message>
    <message>
      <source>column, from 0 to 1</source>
      <translation>列，从 0 到 1</translation>
    </message>
    <message>
      <source>ones everywhere</source>
      <translation>处处为 1</translation>
    </message>
    <message>
      <source>zeros everywhere</source>
      <translation>处处为 0</translation>
    </message>
    <message>
      <source>{plane}, one move earlier</source>
      <translation>{plane}，一步之前</translation>
    </message>
    <message>
      <source>{plane}, {count} moves earlier</source>
      <translation>{plane}，{count} 步之前</translation>
    </message>
    <message>
      <source>minus: {plane}</source>
      <translation>取负：{plane}</translation>
    </message>
    <message>
      <source>Selection</source>
      <translation>选择</translation>
    </message>
    <message>
      <source>Expansion</source>
      <translation>扩展</translation>
    </message>
    <message>
      <source>Backup</source>
      <translation>回传</translation>
    </message>
    <message>
      <source>Stacked</source>
      <translation>堆叠</translation>
    </message>
    <message>
      <source>Stacked shares: together they are all visits</source>
      <translation>层层叠放：合起来即全部访问次数</translation>
    </message>
    <message>
      <source>logarithmic</source>
      <translation>对数</translation>
    </message>
    <message>
      <source>{smoothed} ({value})</source>
      <translation>{smoothed}（{value}）</translation>
    </message>
    <message>
      <source>Picture as PNG…</source>
      <translation>图片存为 PNG…</translation>
    </message>
    <message>
      <source>Figures as CSV…</source>
      <translation>数据存为 CSV…</translation>
    </message>
    <message>
      <source>Copy the figures</source>
      <translation>复制数据</translation>
    </message>
    <message>
      <source>Enlarge, and back (Enter)</source>
      <translation>放大与还原 (Enter)</translation>
    </message>
    <message>
      <source>Enlarge</source>
      <translation>放大</translation>
    </message>
    <message>
      <source>Axis, picture, figures</source>
      <translation>坐标轴、图片、数据</translation>
    </message>
    <message>
      <source>All charts</source>
      <translation>全部图表</translation>
    </message>
    <message>
      <source>Logarithmic axis</source>
      <translation>对数坐标轴</translation>
    </message>
    <message>
      <source>The whole x axis (double-click, 0)</source>
      <translation>整个横轴（双击，0）</translation>
    </message>
    <message>
      <source>Back to all charts (Esc)</source>
      <translation>返回全部图表 (Esc)</translation>
    </message>
    <message>
      <source>Export…</source>
      <translation>导出…</translation>
    </message>
    <message>
      <source>Save or copy the charts as a picture or as figures</source>
      <translation>将图表保存或复制为图片或数据</translation>
    </message>
    <message>
      <source>{chart} as CSV…</source>
      <translation>{chart}（CSV）…</translation>
    </message>
    <message>
      <source>Save the charts</source>
      <translation>保存图表</translation>
    </message>
    <message>
      <source>The picture is on the clipboard.</source>
      <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
      <source>There are no figures to save.</source>
      <translation>没有可保存的数据。</translation>
    </message>
    <message>
      <source>The figures are on the clipboard.</source>
      <translation>数据已复制到剪贴板。</translation>
    </message>
    <message>
      <source>Rows</source>
      <translation>行数</translation>
    </message>
    <message>
      <source>Columns</source>
      <translation>列数</translation>
    </message>
    <message>
      <source>In a row to win</source>
      <translation>连成几子获胜</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>尺寸</translation>
    </message>
    <message>
      <source>Passes</source>
      <translation>停着</translation>
    </message>
    <message>
      <source>Heaps</source>
      <translation>堆</translation>
    </message>
    <message>
      <source>Most chips at once</source>
      <translation>每次最多取几枚</translation>
    </message>
    <message>
      <source>Komi</source>
      <translation>贴目数</translation>
    </message>
    <message>
      <source>Ko</source>
      <translation>打劫</translation>
    </message>
    <message>
      <source>Suicide</source>
      <translation>自杀</translation>
    </message>
    <message>
      <source>Tax on groups</source>
      <translation>还棋头规则</translation>
    </message>
    <message>
      <source>Button</source>
      <translation>收后规则</translation>
    </message>
    <message>
      <source>Last chip loses</source>
      <translation>取最后一枚者负</translation>
    </message>
    <message>
      <source>Swap</source>
      <translation>交换规则</translation>
    </message>
    <message>
      <source>click the board</source>
      <translation>点击棋盘</translation>
    </message>
    <message>
      <source>play the move</source>
      <translation>走这一手</translation>
    </message>
    <message>
      <source>hover over a move</source>
      <translation>停在某着法上</translation>
    </message>
    <message>
      <source>its principal variation, ply by ply</source>
      <translation>逐手显示其主要变例</translation>
    </message>
    <message>
      <source>wheel over that line</source>
      <translation>在该变化上滚动滚轮</translation>
    </message>
    <message>
      <source>more or fewer of its plies</source>
      <translation>增减显示的手数</translation>
    </message>
    <message>
      <source>wheel elsewhere on the board</source>
      <translation>在棋盘其他处滚动滚轮</translation>
    </message>
    <message>
      <source>step through the game</source>
      <translation>浏览棋谱</translation>
    </message>
    <message>
      <source>Shift+click or middle click a move</source>
      <translation>Shift+单击或中键单击着法</translation>
    </message>
    <message>
      <source>play its principal variation</source>
      <translation>走出其主要变例</translation>
    </message>
    <message>
      <source>click a row</source>
      <translation>点击一行</translation>
    </message>
    <message>
      <source>look at the position after it</source>
      <translation>查看该着法之后的局面</translation>
    </message>
    <message>
      <source>double-click a row</source>
      <translation>双击一行</translation>
    </message>
    <message>
      <source>play the line to it</source>
      <translation>走到该变化处</translation>
    </message>
    <message>
      <source>click a column's title</source>
      <translation>点击列标题</translation>
    </message>
    <message>
      <source>sort by that figure</source>
      <translation>按该数值排序</translation>
    </message>
    <message>
      <source>drag over a training chart</source>
      <translation>在训练图表上拖动</translation>
    </message>
    <message>
      <source>zoom to that range of all charts</source>
      <translation>把全部图表放大到该范围</translation>
    </message>
    <message>
      <source>Ctrl+wheel over a training chart</source>
      <translation>在训练图表上 Ctrl+滚轮</translation>
    </message>
    <message>
      <source>zoom; without Ctrl when it is enlarged</source>
      <translation>缩放；图表放大显示时不需 Ctrl</translation>
    </message>
    <message>
      <source>double-click a training chart</source>
      <translation>双击训练图表</translation>
    </message>
    <message>
      <source>show the whole run</source>
      <translation>显示整个训练</translation>
    </message>
    <message>
      <source>drop a net</source>
      <translation>拖入网络文件</translation>
    </message>
    <message>
      <source>search with it</source>
      <translation>用它搜索</translation>
    </message>
    <message>
      <source>drop a game or session</source>
      <translation>拖入棋谱或会话文件</translation>
    </message>
    <message>
      <source>open that game or session, with a net dropped beside it</source>
      <translation>打开该对局或会话；一同拖入的网络也会使用</translation>
    </message>
    <message>
      <source>Shift+arrows</source>
      <translation>Shift+方向键</translation>
    </message>
    <message>
      <source>move a cursor over the board</source>
      <translation>在棋盘上移动光标</translation>
    </message>
    <message>
      <source>Shift+Return</source>
      <translation>Shift+回车</translation>
    </message>
    <message>
      <source>play at the cursor</source>
      <translation>在光标处落子</translation>
    </message>
    <message>
      <source>Return in a training chart</source>
      <translation>在训练图表中按 Return</translation>
    </message>
    <message>
      <source>enlarge it, and back</source>
      <translation>放大与还原</translation>
    </message>
    <message>
      <source>Left, Right, + and − there</source>
      <translation>其中按 Left、Right、+ 与 −</translation>
    </message>
    <message>
      <source>move the crosshair, zoom</source>
      <translation>移动十字线，缩放</translation>
    </message>
    <message>
      <source>0 and L there</source>
      <translation>其中按 0 与 L</translation>
    </message>
    <message>
      <source>the whole run, a logarithmic axis</source>
      <translation>整个训练，对数坐标轴</translation>
    </message>
    <message>
      <source>Nothing to set.</source>
      <translation>没有可设置的项。</translation>
    </message>
    <message>
      <source>None: this selection rule uses no priors.</source>
      <translation>无：此选择规则不使用先验概率。</translation>
    </message>
    <message>
      <source>{player}: {share} to win, {lead} points</source>
      <translation>{player}：胜率 {share}，{lead} 目</translation>
    </message>
    <message>
      <source>The move, as players of the game write it; ×4: it stands for four, which a symmetry of the position carries into one another.</source>
      <translation>着法，按棋手的写法；×4 表示它代表四个着法，局面的对称使它们互相变换。</translation>
    </message>
    <message>
      <source>Visits: simulations that took the move, begun at this position or before it. Those begun after the move count for Q alone.</source>
      <translation>访问次数：从此局面或更早局面开始、经过该着法的模拟次数。在该着法之后开始的模拟只计入 Q。</translation>
    </message>
    <message>
      <source>Share of its siblings' visits, in percent.</source>
      <translation>在同级着法的访问次数中所占的百分比。</translation>
    </message>
    <message>
      <source>Prior as selection uses it: the net's policy over the moves searched, root noise included.</source>
      <translation>选择所用的先验概率：网络在所搜索着法上的策略，含根节点噪声。</translation>
    </message>
    <message>
      <source>How likely the players that the human net imitates play the move: the claim of that net, chosen in the menu of the net, without search.</source>
      <translation>人类网络所模仿的棋手下这一着的可能性：是该网络（在网络菜单中选择）的说法，未经搜索。</translation>
    </message>
    <message>
      <source>Total value: the sum of the values of all simulations through the move, for the player whose disc stands before Q. Q = W / n, where n also counts those begun after the move.</source>
      <translation>总价值：经过该着的所有模拟的价值之和，以 Q 前圆点所示一方为准。Q = W / n，其中 n 也计入在该着之后开始的模拟。</translation>
    </message>
    <message>
      <source>Mean value of the simulations through the move, from −1 (lost) to +1 (won) for the player whose disc stands before it: the side that plays the move, or the one chosen under View, Values for. For an unvisited move the value selection assumes.</source>
      <translation>经过此着法的模拟的平均价值，从 −1（负）到 +1（胜），以数字前圆点所示一方为准：走该着法的一方，或在“视图 › 价值以谁为准”中选定的一方。未访问的着法为选择时假定的价值。</translation>
    </message>
    <message>
      <source>Exploration term of the selection formula: large for a high prior and few visits.</source>
      <translation>选择公式中的探索项：先验概率高而访问少时较大。</translation>
    </message>
    <message>
      <source>Q + U</source>
      <translation>Q + U</translation>
    </message>
    <message>
      <source>What selection maximises, always for the side that plays the move, with simulations in flight counted as visits; the next simulation enters the move marked ▸.</source>
      <translation>选择所最大化的量，总是对走这一着的一方而言，在途的模拟按访问计；下一次模拟进入标有 ▸ 的着法。</translation>
    </message>
    <message>
      <source>The net's own value of the position after the move, for the player whose disc stands before Q.</source>
      <translation>网络对着法后局面的价值，以 Q 前圆点所示一方为准。</translation>
    </message>
    <message>
      <source>Score lead of the player whose disc stands before Q, in points: the mean of what the net expected at the end of each simulation through the move, or of the score where the game was over.</source>
      <translation>Q 前圆点所示一方的目差：经过该着的各次模拟末端网络所预期目差的平均值；对局已结束时取实际目差。</translation>
    </message>
    <message>
      <source>Proved result for the player whose disc stands before Q, and in how many plies; ≤: best play may be shorter, as the search keeps the first win it finds.</source>
      <translation>以 Q 前圆点所示一方为准的已证明结果及所需手数；≤：最佳着法可能更短，因为搜索保留最先找到的胜法。</translation>
    </message>
    <message>
      <source>Share of the visits (left) and Q (right) over the simulations, on the same scales in all rows.</source>
      <translation>随模拟次数变化的访问占比（左）与 Q（右），各行用同一尺度。</translation>
    </message>
    <message>
      <source>PV</source>
      <translation>PV</translation>
    </message>
    <message>
      <source>The line the search expects after the move: most visits at each ply.</source>
      <translation>搜索预期的后续变化：每手取访问最多者。</translation>
    </message>
    <message>
      <source>{value} for {player}, {lead} points</source>
      <translation>{player} {value}，{lead} 目</translation>
    </message>
    <message>
      <source>{simulations} simulations</source>
      <translation>{simulations} 次模拟</translation>
    </message>
    <message>
      <source>{result} in {plies}</source>
      <translation>{plies} 手{result}</translation>
    </message>
    <message>
      <source>at most {plies}</source>
      <translation>至多 {plies}</translation>
    </message>
    <message>
      <source>left out of the search</source>
      <translation>未列入搜索</translation>
    </message>
    <message>
      <source>{result} by {discs}</source>
      <translation>{result} {discs} 子</translation>
    </message>
    <message>
      <source>{name} is {value!r}; it must be a whole number from {low} to {high}</source>
      <translation>{name} 为 {value!r}；必须是 {low} 至 {high} 的整数</translation>
    </message>
    <message>
      <source>{name} is {value!r}; it must be a number from {low:g} to {high:g}</source>
      <translation>{name} 为 {value!r}；必须是 {low:g} 至 {high:g} 的数</translation>
    </message>
    <message>
      <source>{moves} moves too narrow to draw</source>
      <translation>{moves} 个着法窄得无法画出</translation>
    </message>
    <message>
      <source>visits N</source>
      <translation>访问次数 N</translation>
    </message>
    <message>
      <source>searched Q</source>
      <translation>搜索价值 Q</translation>
    </message>
    <message>
      <source>values for {player}</source>
      <translation>价值以{player}为准</translation>
    </message>
    <message>
      <source>{visits} · {share} of its parent</source>
      <translation>{visits} · 占父节点 {share}</translation>
    </message>
    <message>
      <source>{q} on average</source>
      <translation>平均 {q}</translation>
    </message>
    <message>
      <source>click selects · double click zooms</source>
      <translation>单击选中 · 双击放大</translation>
    </message>
    <message>
      <source>{line} · too narrow to draw</source>
      <translation>{line} · 窄得无法画出</translation>
    </message>
    <message>
      <source>Icicle of the search tree</source>
      <translation>搜索树的冰柱图</translation>
    </message>
    <message>
      <source>Root, for {player}</source>
      <translation>根节点，以{player}为准</translation>
    </message>
    <message>
      <source>current position</source>
      <translation>当前局面</translation>
    </message>
    <message>
      <source>{line} · for {picture}: {figures}</source>
      <translation>{line} · {picture}：{figures}</translation>
    </message>
    <message>
      <source>{visits} · Q of {backups}</source>
      <translation>{visits} · Q 取自 {backups} 次</translation>
    </message>
    <message>
      <source>prior P</source>
      <translation>先验概率 P</translation>
    </message>
    <message>
      <source>the game is over: {proofs}</source>
      <translation>对局已结束：{proofs}</translation>
    </message>
    <message>
      <source>proof</source>
      <translation>证明结果</translation>
    </message>
    <message>
      <source>{result}, {distance} plies on</source>
      <translation>{result}，还有 {distance} 手</translation>
    </message>
    <message>
      <source>values for {picture}, who plays the move</source>
      <translation>数值以走入此节点的{picture}为准</translation>
    </message>
    <message>
      <source>ended</source>
      <translation>已结束</translation>
    </message>
    <message>
      <source>Show the values for the side to move</source>
      <translation>显示以轮走方为准的价值</translation>
    </message>
    <message>
      <source>Show the values for {player}</source>
      <translation>显示以{player}为准的价值</translation>
    </message>
    <message>
      <source>&amp;DirectML</source>
      <translation>由 DirectML 计算(&amp;D)</translation>
    </message>
    <message>
      <source>&amp;Core ML</source>
      <translation>由 Core ML 计算(&amp;C)</translation>
    </message>
    <message>
      <source>&amp;Fastest</source>
      <translation>最快者(&amp;F)</translation>
    </message>
    <message>
      <source>onn&amp;xruntime</source>
      <translation>由 onnxruntime 计算(&amp;X)</translation>
    </message>
    <message>
      <source>&amp;OpenVINO</source>
      <translation>由 OpenVINO 计算(&amp;O)</translation>
    </message>
    <message>
      <source>OpenVINO in &amp;16 bits</source>
      <translation>由 OpenVINO 以 16 位计算(&amp;1)</translation>
    </message>
    <message>
      <source>OpenVINO in &amp;8 bits</source>
      <translation>由 OpenVINO 以 8 位计算(&amp;8)</translation>
    </message>
    <message>
      <source>Pictures of the planes</source>
      <translation>各平面的图像</translation>
    </message>
    <message>
      <source>Check: {check}. Here it prefers {move} ({share}) and values the position {value} for {mover}.</source>
      <translation>检查：{check}。在此它偏好 {move}（{share}），对 {mover} 的估值为 {value}。</translation>
    </message>
    <message>
      <source>The net is asked…</source>
      <translation>正在询问网络…</translation>
    </message>
    <message>
      <source>Its answers bear this reading out.</source>
      <translation>它的回答证实了这种读法。</translation>
    </message>
    <message>
      <source>Its answers partly bear this reading out.</source>
      <translation>它的回答部分证实了这种读法。</translation>
    </message>
    <message>
      <source>Its answers do not bear this reading out.</source>
      <translation>它的回答未能证实这种读法。</translation>
    </message>
    <message>
      <source>Planes of the input</source>
      <translation>输入的各平面</translation>
    </message>
    <message>
      <source>Up</source>
      <translation>上移</translation>
    </message>
    <message>
      <source>Down</source>
      <translation>下移</translation>
    </message>
    <message>
      <source>What it holds</source>
      <translation>内容</translation>
    </message>
    <message>
      <source>Moves ago</source>
      <translation>几步之前</translation>
    </message>
    <message>
      <source>Minus</source>
      <translation>取负</translation>
    </message>
    <message>
      <source>Plane {number}</source>
      <translation>平面 {number}</translation>
    </message>
    <message>
      <source>Plane {number}: moves ago</source>
      <translation>平面 {number}：几步之前</translation>
    </message>
    <message>
      <source>Plane {number}: negative</source>
      <translation>平面 {number}：取负</translation>
    </message>
    <message>
      <source>the top row</source>
      <translation>顶行</translation>
    </message>
    <message>
      <source>the bottom row</source>
      <translation>底行</translation>
    </message>
    <message>
      <source>logits</source>
      <translation>logits</translation>
    </message>
    <message>
      <source>logarithms of probabilities</source>
      <translation>概率的对数</translation>
    </message>
    <message>
      <source>probabilities</source>
      <translation>概率</translation>
    </message>
    <message>
      <source>by its size</source>
      <translation>按大小判断</translation>
    </message>
    <message>
      <source>for each move</source>
      <translation>每个着法一项</translation>
    </message>
    <message>
      <source>for each cell</source>
      <translation>每个格子一项</translation>
    </message>
    <message>
      <source>after the moves</source>
      <translation>在着法之后</translation>
    </message>
    <message>
      <source>before the moves</source>
      <translation>在着法之前</translation>
    </message>
    <message>
      <source>one number from −1 to 1</source>
      <translation>−1 到 1 的一个数</translation>
    </message>
    <message>
      <source>probability of a win</source>
      <translation>获胜概率</translation>
    </message>
    <message>
      <source>win, draw, loss: logits</source>
      <translation>胜、和、负：logits</translation>
    </message>
    <message>
      <source>win, draw, loss: probabilities</source>
      <translation>胜、和、负：概率</translation>
    </message>
    <message>
      <source>win, loss, draw: logits</source>
      <translation>胜、负、和：logits</translation>
    </message>
    <message>
      <source>win, loss, draw: probabilities</source>
      <translation>胜、负、和：概率</translation>
    </message>
    <message>
      <source>the side to move</source>
      <translation>轮到走的一方</translation>
    </message>
    <message>
      <source>the first player</source>
      <translation>先手方</translation>
    </message>
    <message>
      <source>found by size and name</source>
      <translation>按大小和名称寻找</translation>
    </message>
    <message>
      <source>columns come before rows</source>
      <translation>先列后行</translation>
    </message>
    <message>
      <source>First in its planes is</source>
      <translation>平面中最先的是</translation>
    </message>
    <message>
      <source>Its policy is</source>
      <translation>其策略为</translation>
    </message>
    <message>
      <source>It has an entry</source>
      <translation>策略的条目</translation>
    </message>
    <message>
      <source>First in its policy is</source>
      <translation>策略中最先的是</translation>
    </message>
    <message>
      <source>A pass stands</source>
      <translation>停一手的位置</translation>
    </message>
    <message>
      <source>Its value is</source>
      <translation>其价值为</translation>
    </message>
    <message>
      <source>It is the value of</source>
      <translation>价值属于</translation>
    </message>
    <message>
      <source>Output of the policy</source>
      <translation>策略的输出</translation>
    </message>
    <message>
      <source>Output of the value</source>
      <translation>价值的输出</translation>
    </message>
    <message>
      <source>by its shape</source>
      <translation>按形状判断</translation>
    </message>
    <message>
      <source>plane by plane (NCHW)</source>
      <translation>逐平面（NCHW）</translation>
    </message>
    <message>
      <source>cell by cell (NHWC)</source>
      <translation>逐格（NHWC）</translation>
    </message>
    <message>
      <source>one number for each plane</source>
      <translation>每个平面一个数</translation>
    </message>
    <message>
      <source>Its numbers come</source>
      <translation>数的排列</translation>
    </message>
    <message>
      <source>a recipe of your own</source>
      <translation>自定配方</translation>
    </message>
    <message>
      <source>Save beside the net</source>
      <translation>保存在网络旁</translation>
    </message>
    <message>
      <source>Save a copy…</source>
      <translation>保存副本…</translation>
    </message>
    <message>
      <source>Read as</source>
      <translation>读作</translation>
    </message>
    <message>
      <source>Input</source>
      <translation>网络的输入</translation>
    </message>
    <message>
      <source>Recipe</source>
      <translation>配方</translation>
    </message>
    <message>
      <source>Save a copy of the net with its recipe</source>
      <translation>保存带配方的网络副本</translation>
    </message>
    <message>
      <source>Use</source>
      <translation>使用</translation>
    </message>
    <message>
      <source>“{name}” is read as a net for {game}.</source>
      <translation>“{name}”读作{game}的网络。</translation>
    </message>
    <message>
      <source>It does not say how, and that cannot be guessed: {reason}.</source>
      <translation>它没有说明读法，也无法猜出：{reason}。</translation>
    </message>
    <message>
      <source>Writes {file}</source>
      <translation>写入 {file}</translation>
    </message>
    <message>
      <source>{name}: {planes}</source>
      <translation>{name}：{planes}</translation>
    </message>
    <message>
      <source>set up</source>
      <translation>摆设</translation>
    </message>
    <message>
      <source>the start</source>
      <translation>开局处</translation>
    </message>
    <message>
      <source>{name} already exists. Replace it?</source>
      <translation>{name} 已存在。要替换它吗？</translation>
    </message>
    <message>
      <source>{path!r} cannot be written: {strerror}</source>
      <translation>{path!r} 无法写入：{strerror}</translation>
    </message>
    <message>
      <source>Replace</source>
      <translation>替换</translation>
    </message>
    <message>
      <source>Samples</source>
      <translation>样本</translation>
    </message>
    <message>
      <source>Checkpoints</source>
      <translation>检查点</translation>
    </message>
    <message>
      <source>Diagnosis</source>
      <translation>诊断</translation>
    </message>
    <message>
      <source>Settings</source>
      <translation>设置</translation>
    </message>
    <message>
      <source>Step</source>
      <translation>步</translation>
    </message>
    <message>
      <source>Minutes</source>
      <translation>分钟</translation>
    </message>
    <message>
      <source>Trees</source>
      <translation>搜索树对照</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>表格</translation>
    </message>
    <message>
      <source>Small</source>
      <translation>小</translation>
    </message>
    <message>
      <source>Medium</source>
      <translation>中</translation>
    </message>
    <message>
      <source>Large</source>
      <translation>大</translation>
    </message>
    <message>
      <source>Luck</source>
      <translation>运气</translation>
    </message>
    <message>
      <source>KataGo-like</source>
      <translation>类 KataGo</translation>
    </message>
    <message>
      <source>parent value − reduction</source>
      <translation>父节点价值 − 减量</translation>
    </message>
    <message>
      <source>zero</source>
      <translation>零</translation>
    </message>
    <message>
      <source>by a net</source>
      <translation>由网络</translation>
    </message>
    <message>
      <source>k in a row</source>
      <translation>k 子连线类</translation>
    </message>
    <message>
      <source>with quick exact endings</source>
      <translation>残局能快速精确求解的</translation>
    </message>
    <message>
      <source>{title} = {value}</source>
      <translation>{title} = {value}</translation>
    </message>
    <message>
      <source>other settings</source>
      <translation>其他设置</translation>
    </message>
    <message>
      <source>{title}: on</source>
      <translation>{title}：开</translation>
    </message>
    <message>
      <source>{title}: off</source>
      <translation>{title}：关</translation>
    </message>
    <message>
      <source>Candidates</source>
      <translation>候选着法</translation>
    </message>
    <message>
      <source>Planned</source>
      <translation>计划次数</translation>
    </message>
    <message>
      <source>Games per move</source>
      <translation>每着局数</translation>
    </message>
    <message>
      <source>Unvisited moves</source>
      <translation>未访问的着法</translation>
    </message>
    <message>
      <source>Batch</source>
      <translation>批量</translation>
    </message>
    <message>
      <source>automatic</source>
      <translation>自动设定</translation>
    </message>
    <message>
      <source>Prove</source>
      <translation>求证</translation>
    </message>
    <message>
      <source>solved positions</source>
      <translation>已解出的局面</translation>
    </message>
    <message>
      <source>Reduction</source>
      <translation>减量</translation>
    </message>
    <message>
      <source>Spread share</source>
      <translation>离散占比</translation>
    </message>
    <message>
      <source>UCB1 formula</source>
      <translation>UCB1 公式</translation>
    </message>
    <message>
      <source>Score utility</source>
      <translation>目数效用</translation>
    </message>
    <message>
      <source>Noise share ε</source>
      <translation>噪声占比 ε</translation>
    </message>
    <message>
      <source>Noise α</source>
      <translation>噪声 α</translation>
    </message>
    <message>
      <source>Root temperature</source>
      <translation>根节点温度</translation>
    </message>
    <message>
      <source>each once first</source>
      <translation>先各试一次</translation>
    </message>
    <message>
      <source>Merge</source>
      <translation>合并</translation>
    </message>
    <message>
      <source>symmetric</source>
      <translation>对称着法</translation>
    </message>
    <message>
      <source>all symmetries</source>
      <translation>各对称的均值</translation>
    </message>
    <message>
      <source>Root, unvisited</source>
      <translation>根节点未访问着法</translation>
    </message>
    <message>
      <source>as elsewhere</source>
      <translation>与其他节点相同</translation>
    </message>
    <message>
      <source>Root reduction</source>
      <translation>根节点减量</translation>
    </message>
    <message>
      <source>most visits</source>
      <translation>访问最多</translation>
    </message>
    <message>
      <source>highest mean</source>
      <translation>均值最高</translation>
    </message>
    <message>
      <source>lower bound</source>
      <translation>下界</translation>
    </message>
    <message>
      <source>Bound width</source>
      <translation>界宽</translation>
    </message>
    <message>
      <source>Bound share</source>
      <translation>下界门槛</translation>
    </message>
    <message>
      <source>Expand at</source>
      <translation>展开门槛</translation>
    </message>
    <message>
      <source>Rollout policy</source>
      <translation>随机对局策略</translation>
    </message>
    <message>
      <source>uniform</source>
      <translation>均匀随机</translation>
    </message>
    <message>
      <source>tactical</source>
      <translation>战术</translation>
    </message>
    <message>
      <source>In flight</source>
      <translation>在途批数</translation>
    </message>
    <message>
      <source>Collectors</source>
      <translation>收集线程</translation>
    </message>
    <message>
      <source>prove by fours</source>
      <translation>以四证明</translation>
    </message>
    <message>
      <source>raise priors</source>
      <translation>提高先验</translation>
    </message>
    <message>
      <source>Exact endings</source>
      <translation>精确残局</translation>
    </message>
    <message>
      <source>All settings</source>
      <translation>全部设置</translation>
    </message>
    <message>
      <source>{title}  ({unit})</source>
      <translation>{title}（{unit}）</translation>
    </message>
    <message>
      <source>Drag: the icicle shows what the search would become</source>
      <translation>拖动：冰柱图显示搜索会变成什么样</translation>
    </message>
    <message>
      <source>It has no effect while {title} is 0.</source>
      <translation>{title} 为 0 时不起作用。</translation>
    </message>
    <message>
      <source>Used only where {title} is {choice}.</source>
      <translation>仅当{title}为 {choice} 时使用。</translation>
    </message>
    <message>
      <source>Put {setting} back</source>
      <translation>恢复{setting}</translation>
    </message>
    <message>
      <source>{meaning} · default {default}</source>
      <translation>{meaning} · 默认 {default}</translation>
    </message>
    <message>
      <source>Back to {value}</source>
      <translation>恢复为 {value}</translation>
    </message>
    <message>
      <source>{n} changed</source>
      <translation>{n} 项已更改</translation>
    </message>
    <message>
      <source>Search by KataGo's rules and figures: c that grows and follows the spread of the values, moves chosen by their lower bound, the root under all symmetries. Memory, batches and the like stay.</source>
      <translation>按 KataGo 的规则与数值搜索：c 随访问增长并随价值的离散程度变化，按下界选择着法，根节点取所有对称。内存、批量等保持不变。</translation>
    </message>
    <message>
      <source>What evaluates the positions of the search</source>
      <translation>搜索的局面由什么评估</translation>
    </message>
    <message>
      <source>Put every setting back</source>
      <translation>恢复所有设置</translation>
    </message>
    <message>
      <source>Keep</source>
      <translation>保留</translation>
    </message>
    <message>
      <source>Search with it from now on; Undo goes back</source>
      <translation>从现在起按它搜索；可以撤销</translation>
    </message>
    <message>
      <source>Leave the setting as it was (Esc)</source>
      <translation>设置保持原样（Esc）</translation>
    </message>
    <message>
      <source>{title} {before} → {value}</source>
      <translation>{title} {before} → {value}</translation>
    </message>
    <message>
      <source>{wins} won, {draws} drawn, {losses} lost of {games} · score {share} (95 %: {low} to {high}) · Elo {elo} ({elo_low} to {elo_high})</source>
      <translation>{games} 局中 {wins} 胜 {draws} 和 {losses} 负 · 得分 {share}（95 %：{low} 至 {high}）· Elo {elo}（{elo_low} 至 {elo_high}）</translation>
    </message>
    <message>
      <source>fold them: click</source>
      <translation>单击折叠</translation>
    </message>
    <message>
      <source>not shown: click</source>
      <translation>未显示：单击展开</translation>
    </message>
    <message>
      <source>&amp;Visited moves</source>
      <translation>已访问的着法(&amp;V)</translation>
    </message>
    <message>
      <source>not visited: click</source>
      <translation>未访问：单击展开</translation>
    </message>
    <message>
      <source>&amp;All moves</source>
      <translation>全部着法(&amp;A)</translation>
    </message>
    <message>
      <source>At least &amp;10 visits</source>
      <translation>至少 10 次访问(&amp;1)</translation>
    </message>
    <message>
      <source>&amp;Proved moves</source>
      <translation>已证明的着法(&amp;P)</translation>
    </message>
    <message>
      <source>Net and search differ by &amp;5 %</source>
      <translation>网络与搜索相差 5 %(&amp;5)</translation>
    </message>
    <message>
      <source>{count} moves, N = {visits}, ΣP = {prior}</source>
      <translation>{count} 手，N = {visits}，ΣP = {prior}</translation>
    </message>
    <message>
      <source>{count} moves, N = {visits}</source>
      <translation>{count} 手，N = {visits}</translation>
    </message>
    <message>
      <source>Search tree</source>
      <translation>搜索树表</translation>
    </message>
    <message>
      <source>{result} for {player}</source>
      <translation>{player} {result}</translation>
    </message>
    <message>
      <source>{player} wins in {plies} plies</source>
      <translation>{player} {plies} 手获胜</translation>
    </message>
    <message>
      <source>stopped — Space continues</source>
      <translation>已停止 — 按空格键继续</translation>
    </message>
    <message>
      <source>the search has only begun</source>
      <translation>搜索刚刚开始</translation>
    </message>
    <message>
      <source>not analysed yet — Space starts a search</source>
      <translation>尚未分析 — 按空格键开始一次搜索</translation>
    </message>
    <message>
      <source>solved exactly: a draw with best play</source>
      <translation>已精确求解：双方最佳应对为和棋</translation>
    </message>
    <message>
      <source>solved exactly: {result}</source>
      <translation>已精确求解：{result}</translation>
    </message>
    <message>
      <source>proved: {result}</source>
      <translation>已证明：{result}</translation>
    </message>
    <message>
      <source>exact: a draw</source>
      <translation>精确：和棋</translation>
    </message>
    <message>
      <source>not analysed — Space starts</source>
      <translation>尚未分析 — 按空格键开始</translation>
    </message>
    <message>
      <source>limit reached: {simulations} — Space continues without limit</source>
      <translation>已达上限：{simulations} — 按空格键不限次数地继续</translation>
    </message>
    <message>
      <source>game over</source>
      <translation>对局已结束</translation>
    </message>
    <message>
      <source>players {profile}</source>
      <translation>棋手 {profile}</translation>
    </message>
    <message>
      <source>professionals of {year}</source>
      <translation>{year} 年的职业棋手</translation>
    </message>
    <message>
      <source>Black {black}, White {white}</source>
      <translation>黑方 {black}，白方 {white}</translation>
    </message>
    <message>
      <source>{ranks} before AlphaZero</source>
      <translation>AlphaZero 之前的 {ranks}</translation>
    </message>
    <message>
      <source>{number} dan</source>
      <translation>{number} 段</translation>
    </message>
    <message>
      <source>{number} kyu</source>
      <translation>{number} 级</translation>
    </message>
    <message>
      <source>Both have passed</source>
      <translation>双方已弃权</translation>
    </message>
    <message>
      <source>{player} {total:g}: {parts}</source>
      <translation>{player} {total:g}：{parts}</translation>
    </message>
    <message>
      <source>search of {program}, read from {file}</source>
      <translation>{program} 的搜索，读自 {file}</translation>
    </message>
    <message>
      <source>{title} · the net says {value}</source>
      <translation>{title} · 网络认为 {value}</translation>
    </message>
    <message>
      <source>proved for the moves searched: a draw</source>
      <translation>就所搜索的着法已证明：和棋</translation>
    </message>
    <message>
      <source>proved: a draw with best play</source>
      <translation>已证明：双方最佳应对为和棋</translation>
    </message>
    <message>
      <source>exact: {result}</source>
      <translation>精确：{result}</translation>
    </message>
    <message>
      <source>searching without limit</source>
      <translation>无限搜索中</translation>
    </message>
    <message>
      <source>searching</source>
      <translation>搜索中</translation>
    </message>
    <message>
      <source>{simulations}, over the limit of {limit} — Space continues without limit</source>
      <translation>{simulations}，已超过上限 {limit} — 按空格键不限次数地继续</translation>
    </message>
    <message>
      <source>{player} wins by {points:g}</source>
      <translation>{player}胜 {points:g} 目</translation>
    </message>
    <message>
      <source>handicap {stones}</source>
      <translation>让 {stones} 子</translation>
    </message>
    <message>
      <source>values for {mover}</source>
      <translation>价值以{mover}为准</translation>
    </message>
    <message>
      <source>{moves} and {more} more</source>
      <translation>{moves} 等另 {more} 个</translation>
    </message>
    <message>
      <source>without {moves}</source>
      <translation>不含 {moves}</translation>
    </message>
    <message>
      <source>only {moves}</source>
      <translation>仅 {moves}</translation>
    </message>
    <message>
      <source>{words}, by the moves searched</source>
      <translation>{words}，限于所搜索的着法</translation>
    </message>
    <message>
      <source>proved for the moves searched: {result}</source>
      <translation>就所搜索的着法已证明：{result}</translation>
    </message>
    <message>
      <source>{player} wins by {discs} discs</source>
      <translation>{player} 胜 {discs} 子</translation>
    </message>
    <message>
      <source>memory budget full: {bytes_budget} — raise it in the search settings</source>
      <translation>内存预算已满：{bytes_budget} — 可在搜索设置中增大</translation>
    </message>
    <message>
      <source>{result} by {discs} discs</source>
      <translation>{discs} 子{result}</translation>
    </message>
    <message>
      <source>{name} is {value}; it must be {allowed}</source>
      <translation>{name} 为 {value}；应为：{allowed}</translation>
    </message>
    <message>
      <source>one of {choices}</source>
      <translation>{choices} 之一</translation>
    </message>
    <message>
      <source>a whole number from {low} to {high}</source>
      <translation>{low} 至 {high} 的整数</translation>
    </message>
    <message>
      <source>true or false</source>
      <translation>true 或 false</translation>
    </message>
    <message>
      <source>loading {label}</source>
      <translation>正在载入 {label}</translation>
    </message>
    <message>
      <source>the search stopped: {kind}: {error}</source>
      <translation>搜索已停止：{kind}：{error}</translation>
    </message>
    <message>
      <source>uniform prior, value 0</source>
      <translation>均匀先验，价值为 0</translation>
    </message>
    <message>
      <source>memory_mb is {memory_mb!r}, too little for {games} games of {game}; give more, or play fewer games at once</source>
      <translation>memory_mb 为 {memory_mb!r}，不足以同时进行 {games} 局 {game}；请增大，或减少同时进行的局数</translation>
    </message>
    <message>
      <source>the records of this tree are not complete: its earlier simulations cannot be shown</source>
      <translation>此树的记录不完整：无法显示其较早的模拟</translation>
    </message>
    <message>
      <source>simulation {simulation!r} is not there to look at; there are 0 to {last}</source>
      <translation>没有第 {simulation!r} 次模拟可看；可看第 0 至 {last} 次</translation>
    </message>
    <message>
      <source>{evaluator} gives no win, draw and loss</source>
      <translation>{evaluator} 不给出胜、和、负</translation>
    </message>
    <message>
      <source>random games give no win, draw and loss; a net that has them is needed</source>
      <translation>随机对局不给出胜、和、负，需要给出它们的网络</translation>
    </message>
    <message>
      <source>{evaluator} gave chances that do not add up to 1</source>
      <translation>{evaluator} 给出的概率之和不为 1</translation>
    </message>
    <message>
      <source>{evaluator} gives no ownership</source>
      <translation>{evaluator} 不给出归属</translation>
    </message>
    <message>
      <source>random games give no ownership; a net that has it is needed</source>
      <translation>随机对局不给出归属；需要能给出归属的网络</translation>
    </message>
    <message>
      <source>The search prefers {shown}, and rightly: {move} is {result}. Sought is what would make it choose {move}.</source>
      <translation>搜索选 {shown}，而且是对的：{move} {result}。要找的是怎样会使它选 {move}。</translation>
    </message>
    <message>
      <source>The search prefers {shown}. Sought is what makes it choose {move}.</source>
      <translation>搜索选择 {shown}。要找的是什么会使它选择 {move}。</translation>
    </message>
    <message>
      <source>The search itself prefers {shown}. Sought is what makes it choose another move.</source>
      <translation>搜索自己选择 {shown}。要找的是什么会使它选择另一着。</translation>
    </message>
    <message>
      <source>The search itself prefers {shown}. Sought is what makes it leave that move.</source>
      <translation>搜索自己选择 {shown}。要找的是什么会使它放弃这一着。</translation>
    </message>
    <message>
      <source>The policy is to blame at ply {ply}, {move}: it has {before:.2%} of the prior; with {after:.2%} the search finds it after {right_from:,} simulations.</source>
      <translation>责任在策略：第 {ply} 手 {move} 只有 {before:.2%} 的先验；提高到 {after:.2%} 后，搜索在 {right_from:,} 次模拟后找到它。</translation>
    </message>
    <message>
      <source>Searched again from the same seed to {simulations:,} simulations, {again} is chosen (N {visits:,}) and {other} has N {others:,}: there is nothing to repair. The two searches differ: this one asks the net anew at every node, and so about other positions at a time; another number of simulations, a pause, a tree that was kept and several threads change a search too.</source>
      <translation>用相同种子重新搜索到 {simulations:,} 次模拟，选择的是 {again}（N {visits:,}），{other} 的 N 为 {others:,}：没有什么需要修正。两次搜索不同：这一次在每个节点都重新询问网络，每批的局面因此不同；模拟次数不同、暂停过、保留了原有的树或使用多个线程，也会改变搜索。</translation>
    </message>
    <message>
      <source>The search finds it: its choice is right for good after {right_from:,} simulations.</source>
      <translation>搜索能找到它：{right_from:,} 次模拟之后，选择一直正确。</translation>
    </message>
    <message>
      <source>{found} {why}</source>
      <translation>{found}{why}</translation>
    </message>
    <message>
      <source>It plays the right move although it takes the position after ply {ply}, {move}, for {held} ({value:+.2f} for the side that begins the line), which is {exact}.</source>
      <translation>它走对了，虽然把第 {ply} 着 {move} 之后的局面看作{held}（对变化的先走方为 {value:+.2f}），其实是{exact}。</translation>
    </message>
    <message>
      <source>{sentence} {held}</source>
      <translation>{sentence}{held}</translation>
    </message>
    <message>
      <source>Nothing that was tried helps within {most:,} simulations.</source>
      <translation>在 {most:,} 次模拟内，所有尝试都无济于事。</translation>
    </message>
    <message>
      <source>Neither one prior nor one value is to blame: with more simulations the search finds it, after {right_from:,}.</source>
      <translation>责任不在某一个先验或价值：模拟次数更多时，搜索在 {right_from:,} 次之后找到它。</translation>
    </message>
    <message>
      <source>The value is to blame after ply {ply}, {move}: the net says {before:+.2f} for the side that begins the line, right is {after:+.2f}; with that the search finds it after {right_from:,} simulations.</source>
      <translation>问题在第 {ply} 着 {move} 之后的价值：网络对变化的先走方给出 {before:+.2f}，正确的是 {after:+.2f}；改正后搜索在 {right_from:,} 次模拟后找到它。</translation>
    </message>
    <message>
      <source>The policy is to blame at several plies: with an equal share of the prior for every move of the line the search finds it after {right_from:,} simulations.</source>
      <translation>责任在多处策略：若这条变化的每一手都得到平均先验，搜索在 {right_from:,} 次模拟后找到它。</translation>
    </message>
    <message>
      <source>Nothing that was tried makes it leave the move.</source>
      <translation>所试的改动都不能使它放弃这一着。</translation>
    </message>
    <message>
      <source>It does so because of the policy at ply {ply}, {move}: with {after:.2%} of the prior instead of {before:.2%} it leaves the move.</source>
      <translation>原因在第 {ply} 步 {move} 的策略：先验若是 {after:.2%} 而不是 {before:.2%}，它就放弃这一着。</translation>
    </message>
    <message>
      <source>It does so because it hardly looks at ply {ply}, {move}: with {after:.2%} of the prior instead of {before:.2%} it leaves the move.</source>
      <translation>原因是它几乎不看第 {ply} 步 {move}：先验若是 {after:.2%} 而不是 {before:.2%}，它就放弃这一着。</translation>
    </message>
    <message>
      <source>It does so because of a wrong value after ply {ply}, {move}: the net says {before:+.2f} for the side that begins the line, right is {after:+.2f}; with that it leaves the move.</source>
      <translation>这是因为第 {ply} 着 {move} 之后的价值有误：网络对变化的先走方给出 {before:+.2f}，正确的是 {after:+.2f}；改正后它就放弃这一着。</translation>
    </message>
    <message>
      <source>With {most:,} simulations it leaves the move again.</source>
      <translation>模拟 {most:,} 次时，它又放弃这一着。</translation>
    </message>
    <message>
      <source>With c = {c:.2f} it leaves the move.</source>
      <translation>c = {c:.2f} 时，它就放弃这一着。</translation>
    </message>
    <message>
      <source>simulation {simulation!r} is not there to look at; the first one is 0, before any</source>
      <translation>没有第 {simulation!r} 次模拟可看；最早为第 0 次，即尚无模拟时</translation>
    </message>
    <message>
      <source>selection is 'flat', which plays random games; with a net it must be another</source>
      <translation>selection 为 'flat'，即下随机对局；使用网络时须选另一种</translation>
    </message>
    <message>
      <source>the search is of {other}, and this one of {game}</source>
      <translation>该搜索的棋类是 {other}，而此处为 {game}</translation>
    </message>
    <message>
      <source>The tree of {simulations:,} simulations was too large to be kept beside a new one. Save a tree of that size before you leave it.</source>
      <translation>有 {simulations:,} 次模拟的树太大，无法与新树同时保留。离开这么大的树之前，请先保存它。</translation>
    </message>
    <message>
      <source>preparing the search for {title}: {ready} of about {all} functions compiled in {seconds} s, once on this machine</source>
      <translation>正在为{title}准备搜索：约 {all} 个函数中已编译 {ready} 个，用时 {seconds} 秒，每台机器只需一次</translation>
    </message>
    <message>
      <source>preparing the search for {title}: {ready} functions compiled in {seconds} s, once on this machine</source>
      <translation>正在为 {title} 准备搜索：已编译 {ready} 个函数，用时 {seconds} 秒，每台机器只需一次</translation>
    </message>
    <message>
      <source>only the first {most} games are listed</source>
      <translation>只列出前 {most} 局</translation>
    </message>
    <message>
      <source>only the first {most} files are read</source>
      <translation>只读取前 {most} 个文件</translation>
    </message>
    <message>
      <source>{file} is no archive</source>
      <translation>{file} 不是压缩包</translation>
    </message>
    <message>
      <source>both {first} and {second} have {k} in a row</source>
      <translation>{first} 与 {second} 都已 {k} 子连线</translation>
    </message>
    <message>
      <source>its disc at {cell} has nothing under it</source>
      <translation>{cell} 处的棋子下方为空</translation>
    </message>
    <message>
      <source>its discs at {cell} have nothing under them</source>
      <translation>{cell} 各处的棋子下方为空</translation>
    </message>
    <message>
      <source>it has only names of players or tournaments; open the games, a file that ends with .wtb</source>
      <translation>其中只有棋手或赛事的名称；请打开以 .wtb 结尾的棋局文件</translation>
    </message>
    <message>
      <source>the game cannot be read: {error}</source>
      <translation>棋局无法读取：{error}</translation>
    </message>
    <message>
      <source>it is a game of {other}, not of {game}</source>
      <translation>它是 {other} 的棋局，不是 {game} 的</translation>
    </message>
    <message>
      <source>the game has faults: {error}</source>
      <translation>棋局有错误：{error}</translation>
    </message>
    <message>
      <source>{move} cannot be played</source>
      <translation>{move} 不能走</translation>
    </message>
    <message>
      <source>{player} plays {move}, and it is not its turn</source>
      <translation>{player} 走 {move}，但还没轮到它</translation>
    </message>
    <message>
      <source>it is a game of {name}, not of Othello</source>
      <translation>它是 {name} 的棋局，不是黑白棋</translation>
    </message>
    <message>
      <source>after {moves}, {error}</source>
      <translation>在 {moves} 之后，{error}</translation>
    </message>
    <message>
      <source>game {number}: {sentence}</source>
      <translation>第 {number} 局：{sentence}</translation>
    </message>
    <message>
      <source>it does not say how its text is encoded; it was read as {encoding}</source>
      <translation>未说明文字编码；已按 {encoding} 读取</translation>
    </message>
    <message>
      <source>a bonus of {points} points was left out: nothing says who is given it</source>
      <translation>未读取 {points} 目的附加分：文件未说明给哪一方</translation>
    </message>
    <message>
      <source>it does not say which player has black; the title names both</source>
      <translation>未说明谁执黑；标题中有双方姓名</translation>
    </message>
    <message>
      <source>diagrams with variations were left out: {count}</source>
      <translation>未读取带变化的图：{count} 个</translation>
    </message>
    <message>
      <source>{file}, line {line}: {error}</source>
      <translation>{file} 第 {line} 行：{error}</translation>
    </message>
    <message>
      <source>games of {game} have no openings by position</source>
      <translation>{game}没有可按局面查找的开局</translation>
    </message>
    <message>
      <source>a page holds at most {most} simulations, and this search has {count}</source>
      <translation>一个网页最多容纳 {most} 次模拟，而这次搜索有 {count} 次</translation>
    </message>
    <message>
      <source>a page holds at most {most} nodes, and this search has {count}</source>
      <translation>一个网页最多容纳 {most} 个节点，而这次搜索有 {count} 个</translation>
    </message>
    <message>
      <source>this tree's moves are not in the order in which they were tried, which a page needs</source>
      <translation>这棵树的着法不按尝试的先后排列，而网页需要这一顺序</translation>
    </message>
    <message>
      <source>not every simulation of this search is recorded, so a page cannot show its moments</source>
      <translation>这次搜索并非每次模拟都有记录，因此网页无法显示它的各个时刻</translation>
    </message>
    <message>
      <source>it does not name its rule and was read as free style, where five or more stones win</source>
      <translation>它没有写明规则，按自由规则读取（五子及以上获胜）</translation>
    </message>
    <message>
      <source>move {number}, {move}, cannot be played</source>
      <translation>第 {number} 手 {move} 不能走</translation>
    </message>
    <message>
      <source>{count} bytes</source>
      <translation>{count} 字节</translation>
    </message>
    <message>
      <source>{count} {unit}</source>
      <translation>{count} {unit}</translation>
    </message>
    <message>
      <source>{where}: {sentence}</source>
      <translation>{where}：{sentence}</translation>
    </message>
    <message>
      <source>{file} is too large: at most {most} are read</source>
      <translation>{file} 过大：最多读取 {most}</translation>
    </message>
    <message>
      <source>{name} is missing</source>
      <translation>缺少 {name}</translation>
    </message>
    <message>
      <source>a list</source>
      <translation>列表</translation>
    </message>
    <message>
      <source>and {more} more of the kind</source>
      <translation>另有 {more} 个同类问题</translation>
    </message>
    <message>
      <source>an object with names and values</source>
      <translation>含名称和值的对象</translation>
    </message>
    <message>
      <source>a text</source>
      <translation>文本</translation>
    </message>
    <message>
      <source>its version is {major}.{minor}, and at most 3.4 is known</source>
      <translation>它的版本是 {major}.{minor}，最多支持 3.4</translation>
    </message>
    <message>
      <source>{count} moves cannot be played by the rules of {game} and were left out with what follows them</source>
      <translation>按 {game} 的规则，有 {count} 手不能走，连同其后的着法一起略去</translation>
    </message>
    <message>
      <source>it takes {size} MB of memory, more than there is room for</source>
      <translation>它需要 {size} MB 内存，超出可用空间</translation>
    </message>
    <message>
      <source>it is of format {version}, and this program reads format {readable}</source>
      <translation>其格式为 {version}，本程序读取格式 {readable}</translation>
    </message>
    <message>
      <source>it has {games} games, of which the first {most} are read</source>
      <translation>共有 {games} 局，只读取前 {most} 局</translation>
    </message>
    <message>
      <source>{where}: of all trees the first {most} are read, and it has more</source>
      <translation>{where}：全部的树只读取前 {most} 棵，其余未读取</translation>
    </message>
    <message>
      <source>{where} has {moves} moves, of which the first {most} are read</source>
      <translation>{where}共有 {moves} 手，只读取前 {most} 手</translation>
    </message>
    <message>
      <source>{where}: its search settings are left out: {error}</source>
      <translation>{where}：已略去其搜索设置：{error}</translation>
    </message>
    <message>
      <source>{where}: the move that was shown is not in it: {error}</source>
      <translation>{where}：当时显示的着法不在其中：{error}</translation>
    </message>
    <message>
      <source>{where}: the selected moves are left out: {error}</source>
      <translation>{where}：未采用所选着法：{error}</translation>
    </message>
    <message>
      <source>{full}, and {error}</source>
      <translation>{full}，且{error}</translation>
    </message>
    <message>
      <source>game {number}</source>
      <translation>第 {number} 局</translation>
    </message>
    <message>
      <source>game {number} is left out: {error}</source>
      <translation>已略去第 {number} 局：{error}</translation>
    </message>
    <message>
      <source>it is of {game}</source>
      <translation>它的棋类是 {game}</translation>
    </message>
    <message>
      <source>there is not enough memory for it</source>
      <translation>内存不足，无法读入</translation>
    </message>
    <message>
      <source>{where}: its search {name} is left out: {why}</source>
      <translation>{where}：已略去其搜索 {name}：{why}</translation>
    </message>
    <message>
      <source>after {moves}</source>
      <translation>在 {moves} 之后</translation>
    </message>
    <message>
      <source>it has {size} MiB, and at most {most} are read</source>
      <translation>大小为 {size} MiB，最多读取 {most} MiB</translation>
    </message>
    <message>
      <source>there is no SGF game in it: a game begins with '(;'</source>
      <translation>其中没有 SGF 棋局：棋局以 '(;' 开头</translation>
    </message>
    <message>
      <source>{move} cannot be played: {reason}</source>
      <translation>不能走 {move}：{reason}</translation>
    </message>
    <message>
      <source>it lets W begin, which the game does not; PL was left out</source>
      <translation>其中由 W 先走，而该棋类不是；已略去 PL</translation>
    </message>
    <message>
      <source>the position it sets up is none of {game}: {error}</source>
      <translation>所摆的局面不是{game}的局面：{error}</translation>
    </message>
    <message>
      <source>{after}, {error}; that variation is kept but not shown</source>
      <translation>{after}，{error}；该变化已保留但不显示</translation>
    </message>
    <message>
      <source>the position set up is none of {game}: {error}</source>
      <translation>此处所摆的局面不是{game}的局面：{error}</translation>
    </message>
    <message>
      <source>{player} plays {move} and it is {other}'s turn</source>
      <translation>{player} 走了 {move}，而此时轮到 {other}</translation>
    </message>
    <message>
      <source>{name}: {error}</source>
      <translation>{name}：{error}</translation>
    </message>
    <message>
      <source>{text!r} is no point of this board, which are aa to {last}</source>
      <translation>{text!r} 不是此棋盘上的点，点为 aa 至 {last}</translation>
    </message>
    <message>
      <source>it was read as Go (GM[1]); if it is gomoku, open a gomoku board of its size first</source>
      <translation>它按围棋（GM[1]）读取；如果是五子棋，请先打开同样大小的五子棋盘</translation>
    </message>
    <message>
      <source>a disc is at {word!r}, and in its column it falls to {point!r}</source>
      <translation>棋子标在 {word!r}，而在该列中会落到 {point!r}</translation>
    </message>
    <message>
      <source>it says that it is Go (GM[1]); by its rules or its program it was read as gomoku</source>
      <translation>它自称是围棋（GM[1]）；按其规则或程序读作五子棋</translation>
    </message>
    <message>
      <source>it says that it is Nine Men's Morris (GM[5]); it was read as gomoku or renju</source>
      <translation>它自称是九子棋（GM[5]）；读作五子棋或连珠</translation>
    </message>
    <message>
      <source>it says that it is Go (GM[1]) and has no komi; it was read as {game}, which is open</source>
      <translation>它自称是围棋（GM[1]）且没有贴目；按当前打开的 {game} 读取</translation>
    </message>
    <message>
      <source>{game} has no board of points and cannot be written as SGF; a session file keeps it</source>
      <translation>{game}没有交叉点棋盘，无法写成 SGF；可保存为会话文件</translation>
    </message>
    <message>
      <source>another game</source>
      <translation>另一种棋</translation>
    </message>
    <message>
      <source>{title} (GM[{number}])</source>
      <translation>{title}（GM[{number}]）</translation>
    </message>
    <message>
      <source>it is of {name} (GM[{number}]); of SGF's games {games} are known</source>
      <translation>其棋类是 {name}（GM[{number}]）；SGF 的棋类中只支持{games}</translation>
    </message>
    <message>
      <source>it proposes fifth moves ({name}) and was read as renju</source>
      <translation>它列出第五手的候选（{name}），按连珠读取</translation>
    </message>
    <message>
      <source>SZ[{size}] is not the board of {game}, which is {board}</source>
      <translation>SZ[{size}] 不是{game}的棋盘，其大小为 {board}</translation>
    </message>
    <message>
      <source>its board cannot be played on: {error}</source>
      <translation>无法在其棋盘上对弈：{error}</translation>
    </message>
    <message>
      <source>its encoding {name!r} is not known</source>
      <translation>未知的编码 {name!r}</translation>
    </message>
    <message>
      <source>byte {start} and perhaps others are not {encoding}; they became �</source>
      <translation>第 {start} 字节等处不符合 {encoding} 编码；已替换为 �</translation>
    </message>
    <message>
      <source>the last line is cut off, and left out</source>
      <translation>最后一行不完整，已略去</translation>
    </message>
    <message>
      <source>the tree ends before simulation {simulation}, which breaks the rules</source>
      <translation>树止于模拟 {simulation} 之前：该模拟违反规则</translation>
    </message>
    <message>
      <source>this search has no simulation that a picture could show</source>
      <translation>这次搜索没有可以在图片中显示的模拟</translation>
    </message>
    <message>
      <source>it has solitaires or boards of another size than 8×8</source>
      <translation>其中是单人题或不是 8×8 的棋盘</translation>
    </message>
    <message>
      <source>these {count} moves are no tree of moves of {game}</source>
      <translation>这 {count} 步棋不构成 {game} 的着法树</translation>
    </message>
    <message>
      <source>no parameters</source>
      <translation>没有参数</translation>
    </message>
    <message>
      <source>this installed game cannot be used: {reason}</source>
      <translation>这个已安装的棋无法使用：{reason}</translation>
    </message>
    <message>
      <source>it should be one of {games}, with parameters in brackets as in gomoku(size=9)</source>
      <translation>应为 {games} 之一，参数写在括号中，如 gomoku(size=9)</translation>
    </message>
    <message>
      <source>{name}: {range}</source>
      <translation>{name}：{range}</translation>
    </message>
    <message>
      <source>cannot load the game {text}: {error}</source>
      <translation>无法载入棋类 {text}：{error}</translation>
    </message>
    <message>
      <source>{item} is none of its parameters, {name} takes {allowed}</source>
      <translation>{item} 不是其参数，{name} 的参数：{allowed}</translation>
    </message>
    <message>
      <source>{name} is given twice</source>
      <translation>{name} 给出了两次</translation>
    </message>
    <message>
      <source>{name} is missing, {family} takes {allowed}</source>
      <translation>缺少 {name}，{family} 的参数：{allowed}</translation>
    </message>
    <message>
      <source>the column is full</source>
      <translation>这一列已满</translation>
    </message>
    <message>
      <source>a disc of the side to move completes a line here</source>
      <translation>轮走方在此落子即连成一线</translation>
    </message>
    <message>
      <source>a disc of the other side completes a line here</source>
      <translation>对方在此落子即连成一线</translation>
    </message>
    <message>
      <source>a waiting threat of the side to move in its rows</source>
      <translation>轮走方在己方行上的待发威胁</translation>
    </message>
    <message>
      <source>a waiting threat of the other side in its rows</source>
      <translation>对方在其行上的待发威胁</translation>
    </message>
    <message>
      <source>its last move {move} does not end in a disc of the player who just moved</source>
      <translation>最后一手 {move} 处最上面的不是刚走一方的棋子</translation>
    </message>
    <message>
      <source>{rows} rows and {cols} columns are too many, (rows + 1) * cols is at most {most}</source>
      <translation>{rows} 行 {cols} 列过多，(rows + 1) * cols 最多为 {most}</translation>
    </message>
    <message>
      <source>k={k} does not fit on {rows}×{cols}, k is from 2 to {most} there</source>
      <translation>k={k} 不适合 {rows}×{cols} 的棋盘，k 在此须为 2 至 {most}</translation>
    </message>
    <message>
      <source>{rows}×{cols}, {k} in a row</source>
      <translation>{k} 子棋 {rows}×{cols}</translation>
    </message>
    <message>
      <source>its last move {move} is not a stone of the player who just moved</source>
      <translation>最后一手 {move} 处不是刚走一方的棋子</translation>
    </message>
    <message>
      <source>{board}
{player} to move</source>
      <translation>{board}
轮到 {player} 走</translation>
    </message>
    <message>
      <source>{board}
{player} to move, last {move}</source>
      <translation>{board}
轮到 {player} 走，上一手 {move}</translation>
    </message>
    <message>
      <source>it has {count} rows and the board has {height}</source>
      <translation>有 {count} 行，而棋盘有 {height} 行</translation>
    </message>
    <message>
      <source>after the cells it has more than whose turn it is: {text}</source>
      <translation>格子之后除了轮到谁走还有别的内容：{text}</translation>
    </message>
    <message>
      <source>it has {count} cells and the board has {cells}</source>
      <translation>它有 {count} 格，而棋盘有 {cells} 格</translation>
    </message>
    <message>
      <source>row {line} has {count} cells and the board has {width} columns</source>
      <translation>行 {line} 有 {count} 格，而棋盘有 {width} 列</translation>
    </message>
    <message>
      <source>row {line!r} is numbered {number} and from the top it is {due}</source>
      <translation>行 {line!r} 的编号为 {number}，从上往下数应为 {due}</translation>
    </message>
    <message>
      <source>row {line!r} is numbered {number} and from the bottom it is {due}</source>
      <translation>行 {line!r} 的编号为 {number}，从下往上数应为 {due}</translation>
    </message>
    <message>
      <source>row {line} has {symbol!r}, and a cell is '.', 'X' or 'O'</source>
      <translation>行 {line} 中有 {symbol!r}，而每格应为 '.'、'X' 或 'O'</translation>
    </message>
    <message>
      <source>the stone would have no liberty</source>
      <translation>该子没有气</translation>
    </message>
    <message>
      <source>the place is taken</source>
      <translation>该处已有棋子</translation>
    </message>
    <message>
      <source>it retakes a ko at once</source>
      <translation>不能立即提回劫</translation>
    </message>
    <message>
      <source>it repeats an earlier position</source>
      <translation>会重现先前的局面</translation>
    </message>
    <message>
      <source>it does not say whose turn it is, and as there are passes its last line must: 'X to move'</source>
      <translation>未注明轮到谁走；因为可以停一手，最后一行须注明：'X to move'</translation>
    </message>
    <message>
      <source>it has stones without a liberty, which are taken off the board</source>
      <translation>盘上有无气之子，应当提走</translation>
    </message>
    <message>
      <source>the button goes with rules that count area, and {rules} counts territory</source>
      <translation>收后按钮（button）只用于数子规则，而 {rules} 为数目规则</translation>
    </message>
    <message>
      <source>points for white in halves as in 6.5, or usual</source>
      <translation>白方贴目，以半目为单位，如 6.5，或 usual</translation>
    </message>
    <message>
      <source>the side to move captures here</source>
      <translation>轮走方在此提子</translation>
    </message>
    <message>
      <source>the side to move begins a ladder here that catches stones</source>
      <translation>轮走方在此开始征子并能征吃</translation>
    </message>
    <message>
      <source>a stone of the side to move in atari</source>
      <translation>轮走方被打吃的棋子</translation>
    </message>
    <message>
      <source>a stone of the other side in atari</source>
      <translation>对方被打吃的棋子</translation>
    </message>
    <message>
      <source>a stone of the side to move with at most two liberties</source>
      <translation>轮走方最多两口气的棋子</translation>
    </message>
    <message>
      <source>a stone of the other side with at most two liberties</source>
      <translation>对方最多两口气的棋子</translation>
    </message>
    <message>
      <source>a stone of the side to move that a ladder catches</source>
      <translation>轮走方被征吃的棋子</translation>
    </message>
    <message>
      <source>a stone of the other side that a ladder catches</source>
      <translation>对方被征吃的棋子</translation>
    </message>
    <message>
      <source>a point that only stones of the side to move touch</source>
      <translation>四周只有轮走方棋子的点</translation>
    </message>
    <message>
      <source>a point that only stones of the other side touch</source>
      <translation>四周只有对方棋子的点</translation>
    </message>
    <message>
      <source>a stone of the side to move that lives for certain</source>
      <translation>轮走方必定活着的棋子</translation>
    </message>
    <message>
      <source>a stone of the other side that lives for certain</source>
      <translation>对方必定活着的棋子</translation>
    </message>
    <message>
      <source>territory</source>
      <translation>地</translation>
    </message>
    <message>
      <source>komi</source>
      <translation>贴目</translation>
    </message>
    <message>
      <source>handicap</source>
      <translation>让子补偿</translation>
    </message>
    <message>
      <source>button</source>
      <translation>收后（button）</translation>
    </message>
    <message>
      <source>prisoners</source>
      <translation>提子</translation>
    </message>
    <message>
      <source>stones</source>
      <translation>棋子</translation>
    </message>
    <message>
      <source>tax</source>
      <translation>棋头</translation>
    </message>
    <message>
      <source>the rules {name!r} are not known; there are {names}</source>
      <translation>没有名为 {name!r} 的规则；可用的有：{names}</translation>
    </message>
    <message>
      <source>no rules here have {handicap} {bonus} with {scoring} {area} and {friendly} {value}</source>
      <translation>没有同时为 {handicap} {bonus}、{scoring} {area} 与 {friendly} {value} 的规则</translation>
    </message>
    <message>
      <source>rules have no field {name!r}; they have {fields}</source>
      <translation>规则没有 {name!r} 这一项；有：{fields}</translation>
    </message>
    <message>
      <source>{name} is {value!r}; it must be one of {words}</source>
      <translation>{name} 为 {value!r}；必须是以下之一：{words}</translation>
    </message>
    <message>
      <source>Renju {size}×{size}</source>
      <translation>连珠 {size}×{size}</translation>
    </message>
    <message>
      <source>its rules {rules!r} are none of {names}</source>
      <translation>它的规则 {rules!r} 不在 {names} 之中</translation>
    </message>
    <message>
      <source>{player} has {k} in a row without the last move, so the game was over before it</source>
      <translation>没有最后一手 {player} 也已 {k} 子连线，对局在此之前已结束</translation>
    </message>
    <message>
      <source>it has {firsts} X and {seconds} O, and as X begins there must be as many X as O or one more</source>
      <translation>有 {firsts} 个 X 和 {seconds} 个 O；X 先走，因此 X 须与 O 同样多或多一个</translation>
    </message>
    <message>
      <source>it says {player} to move, and with {firsts} X and {seconds} O it is {other}'s turn</source>
      <translation>注明轮到 {player} 走，而有 {firsts} 个 X 和 {seconds} 个 O 时轮到 {other}</translation>
    </message>
    <message>
      <source>{player} is to move and already has {k} in a row</source>
      <translation>轮到 {player} 走，而它已 {k} 子连线</translation>
    </message>
    <message>
      <source>both sides have {k} in a row</source>
      <translation>双方都已 {k} 子连线</translation>
    </message>
    <message>
      <source>{game} has no points to show to a net</source>
      <translation>{game} 没有可显示给网络的目数</translation>
    </message>
    <message>
      <source>heap {heap} has {chips} chip left</source>
      <translation>第 {heap} 堆只剩 {chips} 枚筹码</translation>
    </message>
    <message>
      <source>heap {heap} has {chips} chips left</source>
      <translation>第 {heap} 堆剩 {chips} 枚筹码</translation>
    </message>
    <message>
      <source>1 to {heaps} heaps of 1 to {chips} chips as in 3-4-5</source>
      <translation>1 至 {heaps} 堆，每堆 1 至 {chips} 枚筹码，如 3-4-5</translation>
    </message>
    <message>
      <source>a number from 1, any, or usual ({usual} of a single heap, any of several)</source>
      <translation>不小于 1 的数、any 或 usual（只有一堆时为 {usual}，多堆时任取）</translation>
    </message>
    <message>
      <source>heap {heap} is empty</source>
      <translation>第 {heap} 堆已空</translation>
    </message>
    <message>
      <source>it does not say whose turn it is; as the chips do not show it, its last line must: 'X to move'</source>
      <translation>未注明轮到谁走；从筹码看不出，因此最后一行须注明：'X to move'</translation>
    </message>
    <message>
      <source>it says {player} to move, which these chips do not allow</source>
      <translation>注明轮到 {player} 走，而这些筹码不允许</translation>
    </message>
    <message>
      <source>heap {heap} is not a row of X from the left</source>
      <translation>第 {heap} 堆不是从左边起连续的 X</translation>
    </message>
    <message>
      <source>heap {heap} has {chips} chips and the game begins with {start}</source>
      <translation>第 {heap} 堆有 {chips} 枚筹码，而开局时为 {start} 枚</translation>
    </message>
    <message>
      <source>its last move took {taken} from heap {heap}, more than is gone</source>
      <translation>最后一手从第 {heap} 堆取走 {taken} 枚，多于已取走的数目</translation>
    </message>
    <message>
      <source>OpenSpiel does not allow it there</source>
      <translation>OpenSpiel 不允许在那里走</translation>
    </message>
    <message>
      <source>OpenSpiel: {name}</source>
      <translation>OpenSpiel：{name}</translation>
    </message>
    <message>
      <source>a game by OpenSpiel's name and parameters, as in hex(board_size=9)</source>
      <translation>OpenSpiel 的游戏名和参数，如 hex(board_size=9)</translation>
    </message>
    <message>
      <source>a position of a game of OpenSpiel is reached by moves alone, not set up</source>
      <translation>OpenSpiel 游戏的局面只能由着法到达，不能摆设</translation>
    </message>
    <message>
      <source>OpenSpiel has no game {name}; it offers {games}</source>
      <translation>OpenSpiel 没有游戏 {name}；可用的有 {games}</translation>
    </message>
    <message>
      <source>plane {number} of OpenSpiel</source>
      <translation>OpenSpiel 的第 {number} 个平面</translation>
    </message>
    <message>
      <source>games of OpenSpiel need its package, which is not installed: pip install open-spiel</source>
      <translation>OpenSpiel 的游戏需要它的软件包，尚未安装：pip install open-spiel</translation>
    </message>
    <message>
      <source>OpenSpiel says: {error}</source>
      <translation>OpenSpiel 报告：{error}</translation>
    </message>
    <message>
      <source>in {game} a player moved twice in a row</source>
      <translation>在 {game} 中有一方连走了两手</translation>
    </message>
    <message>
      <source>it turns no disc</source>
      <translation>没有翻转任何棋子</translation>
    </message>
    <message>
      <source>the side to move can take this corner</source>
      <translation>轮走方可以占此角</translation>
    </message>
    <message>
      <source>an empty cell beside an empty corner</source>
      <translation>空角旁的空格</translation>
    </message>
    <message>
      <source>moves of the side to move</source>
      <translation>轮走方的着法数</translation>
    </message>
    <message>
      <source>discs that the side to move has more</source>
      <translation>轮走方多出的棋子数</translation>
    </message>
    <message>
      <source>a pass is for a player who has no other move</source>
      <translation>只有没有其他着法时才能停一手</translation>
    </message>
    <message>
      <source>one of its four middle cells is empty, and the game begins with all four taken</source>
      <translation>中央四格中有空格，而开局时四格都有棋子</translation>
    </message>
    <message>
      <source>size={size} is not even, size is one of {sides}</source>
      <translation>size={size} 不是偶数，size 应为 {sides} 之一</translation>
    </message>
    <message>
      <source>its board is {width}×{height}, and Othello's is a square</source>
      <translation>其棋盘为 {width}×{height}，而黑白棋的棋盘是正方形</translation>
    </message>
    <message>
      <source>it says {player} to move, and after {placed} moves without a pass it is {other}'s turn</source>
      <translation>注明轮到 {player} 走，而没有停着时 {placed} 手之后轮到 {other}</translation>
    </message>
    <message>
      <source>its last move is a pass, and {player} could not pass there</source>
      <translation>最后一手是停着，而 {player} 在该处不能停着</translation>
    </message>
    <message>
      <source>its last move {move} is not a disc of the player who just moved</source>
      <translation>最后一手 {move} 不是刚走一方的棋子</translation>
    </message>
    <message>
      <source>in the first position</source>
      <translation>在起始局面中</translation>
    </message>
    <message>
      <source>move {name!r} is not legal in {game} {where}: {reason}</source>
      <translation>{where}，着法 {name!r} 在 {game} 中不合法：{reason}</translation>
    </message>
    <message>
      <source>an action is from 0 to {last}</source>
      <translation>动作为 0 至 {last}</translation>
    </message>
    <message>
      <source>the game is over</source>
      <translation>对局已经结束</translation>
    </message>
    <message>
      <source>it is a foul, {foul}</source>
      <translation>这是禁手：{foul}</translation>
    </message>
    <message>
      <source>X has six or more in a row, which is a foul</source>
      <translation>X 有六子或更多连线，是禁手</translation>
    </message>
    <message>
      <source>its last move {move} was a foul, {foul}</source>
      <translation>最后一手 {move} 是禁手：{foul}</translation>
    </message>
    <message>
      <source>overline</source>
      <translation>长连</translation>
    </message>
    <message>
      <source>double four</source>
      <translation>四四</translation>
    </message>
    <message>
      <source>double three</source>
      <translation>三三</translation>
    </message>
    <message>
      <source>{first} to {last}</source>
      <translation>{first} 至 {last}</translation>
    </message>
    <message>
      <source>{span}, or a number from {low} to {high}</source>
      <translation>{span}，或 {low} 至 {high} 的数</translation>
    </message>
    <message>
      <source>unknown move {text} in {game}: a move is {moves}</source>
      <translation>{game} 中没有着法 {text}：着法为 {moves}</translation>
    </message>
    <message>
      <source>a number from {low} to {high}</source>
      <translation>{low} 至 {high} 的数</translation>
    </message>
    <message>
      <source>the name of a legal move, or a number from {low} to {high}</source>
      <translation>合法着法的名称，或从 {low} 到 {high} 的数字</translation>
    </message>
    <message>
      <source>{moves} or {word}</source>
      <translation>{moves} 或 {word}</translation>
    </message>
    <message>
      <source>action {action} of {game} is not from 0 to {last}</source>
      <translation>{game} 的动作 {action} 不在 0 至 {last} 之间</translation>
    </message>
    <message>
      <source>bad diagram {text} for {game}: {error}</source>
      <translation>{text} 不是 {game} 的局面图：{error}</translation>
    </message>
    <message>
      <source>The columns were read with the letter i (… h i j …).</source>
      <translation>列字母按含 i 读取（… h i j …）。</translation>
    </message>
    <message>
      <source>The columns were read without the letter i (… h j k …).</source>
      <translation>列字母按不含 i 读取（… h j k …）。</translation>
    </message>
    <message>
      <source>The numbers were counted from 0.</source>
      <translation>数字从 0 数起。</translation>
    </message>
    <message>
      <source>The numbers were counted from 1.</source>
      <translation>数字从 1 数起。</translation>
    </message>
    <message>
      <source>{read} Where that is wrong, write {ways} before the moves.</source>
      <translation>{read}如果不对，请在着法前写上 {ways}。</translation>
    </message>
    <message>
      <source>{text} can be read in several ways: write {ways} before it</source>
      <translation>{text} 有几种读法：请在前面写上 {ways}</translation>
    </message>
    <message>
      <source>the text has more than {most} characters</source>
      <translation>文本超过 {most} 个字符</translation>
    </message>
    <message>
      <source>{text} may be points or numbers of cells: write (7,8) for a point, and blanks between numbers</source>
      <translation>{text} 可能是坐标，也可能是格子编号：坐标请写成 (7,8)，编号之间用空格</translation>
    </message>
    <message>
      <source>The search has hardly looked at {move}: {visits:,} of {total:,} visits, {share:.1%}; {best} has {best_visits:,}.</source>
      <translation>搜索几乎没有看 {move}：{total:,} 次访问中仅 {visits:,} 次（{share:.1%}）；{best} 有 {best_visits:,} 次。</translation>
    </message>
    <message>
      <source>{move} has {visits:,} of {total:,} visits, {share:.1%}; {best} has {best_visits:,}.</source>
      <translation>{move} 有 {total:,} 次访问中的 {visits:,} 次（{share:.1%}）；{best} 有 {best_visits:,} 次。</translation>
    </message>
    <message>
      <source>Q of {move} is {q:+.3f}, of {other} {other_q:+.3f}.</source>
      <translation>{move} 的 Q 为 {q:+.3f}，{other} 的为 {other_q:+.3f}。</translation>
    </message>
    <message>
      <source>Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}; but visits decide, not Q.</source>
      <translation>{move} 的 Q 为 {q:+.3f}，高于 {other} 的 {other_q:+.3f}；但决定着法的是访问次数，不是 Q。</translation>
    </message>
    <message>
      <source>Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}; but the lower bound of Q decides: {bound:+.3f} against {other_bound:+.3f}.</source>
      <translation>{move} 的 Q 为 {q:+.3f}，高于 {other} 的 {other_q:+.3f}；但起决定作用的是 Q 的下界：{bound:+.3f} 对 {other_bound:+.3f}。</translation>
    </message>
    <message>
      <source>Q of {move} is {q:+.3f}, above the {other_q:+.3f} of {other}, and its lower bound {bound:+.3f} above {other_bound:+.3f}; but it has too few visits to be chosen by that.</source>
      <translation>{move} 的 Q 为 {q:+.3f}，高于 {other} 的 {other_q:+.3f}，其下界 {bound:+.3f} 也高于 {other_bound:+.3f}；但访问太少，不能按下界选它。</translation>
    </message>
    <message>
      <source>Q of {move} fell from {q_before:+.3f} after {first:,} simulations to {q:+.3f} after {last:,}: {grown:,} of its {new:,} visits between went to the reply {reply}.</source>
      <translation>{move} 的 Q 从第 {first:,} 次模拟后的 {q_before:+.3f} 降到第 {last:,} 次后的 {q:+.3f}：其间它的 {new:,} 次访问中有 {grown:,} 次走向应手 {reply}。</translation>
    </message>
    <message>
      <source>Q of {move} fell from {q_before:+.3f} after {first:,} simulations to {q:+.3f} after {last:,}.</source>
      <translation>{move} 的 Q 从第 {first:,} 次模拟后的 {q_before:+.3f} 降到第 {last:,} 次后的 {q:+.3f}。</translation>
    </message>
    <message>
      <source>{move} is the move that would be played: {visits:,} of {total:,} visits, {share:.1%}.</source>
      <translation>{move} 就是将走的着法：{total:,} 次访问中的 {visits:,} 次（{share:.1%}）。</translation>
    </message>
    <message>
      <source>The net gave {move} P {prior:.1%}, rank {rank} of {moves}.</source>
      <translation>网络给 {move} 的 P 为 {prior:.1%}，在 {moves} 手中列第 {rank}。</translation>
    </message>
    <message>
      <source>The net gave {move} P {prior:.1%}, rank {rank} of {moves}, and {other} P {other_prior:.1%}.</source>
      <translation>网络给 {move} 的 P 为 {prior:.1%}，在 {moves} 手中列第 {rank}；给 {other} 的 P 为 {other_prior:.1%}。</translation>
    </message>
    <message>
      <source>The net's own value after {move} was {value:+.3f}; the search has Q {q:+.3f}.</source>
      <translation>走 {move} 之后网络自身的价值为 {value:+.3f}；搜索所得的 Q 为 {q:+.3f}。</translation>
    </message>
    <message>
      <source>The net's own value after {move} was {value:+.3f}, near the Q {q:+.3f} of the search.</source>
      <translation>走 {move} 之后网络自身的价值为 {value:+.3f}，与搜索的 Q {q:+.3f} 相近。</translation>
    </message>
    <message>
      <source>{action} is no move of this position</source>
      <translation>{action} 不是此局面的着法</translation>
    </message>
    <message>
      <source>{move} is left out of the search.</source>
      <translation>{move} 不在搜索之列。</translation>
    </message>
    <message>
      <source>No simulation has been made yet.</source>
      <translation>尚未进行模拟。</translation>
    </message>
    <message>
      <source>The search has not tried {move}: none of {total:,} visits.</source>
      <translation>搜索未试过 {move}：{total:,} 次访问中无一次。</translation>
    </message>
    <message>
      <source>The search has proved {move} a {result}.</source>
      <translation>搜索已证明 {move} 是{result}。</translation>
    </message>
    <message>
      <source>The search has proved {move} a {result} in {distance} ply.</source>
      <translation>搜索已证明 {move} 走 {distance} 手即为{result}。</translation>
    </message>
    <message>
      <source>The search has proved {move} a {result} in at most {distance} plies.</source>
      <translation>搜索已证明 {move} 至多 {distance} 手内为{result}。</translation>
    </message>
    <message>
      <source>The search has proved {move} a {result} in {distance} plies.</source>
      <translation>搜索已证明 {move} 在 {distance} 手内为{result}。</translation>
    </message>
    <message>
      <source>Exact result: {move} is a {result}.</source>
      <translation>精确结果：{move} 为{result}。</translation>
    </message>
    <message>
      <source>Exact result: {move} is a {result} in {plies} ply.</source>
      <translation>精确结果：{move} 走 {plies} 手即为{result}。</translation>
    </message>
    <message>
      <source>Exact result: {move} is a {result} in {plies} plies.</source>
      <translation>精确结果：{move} 在 {plies} 手内为{result}。</translation>
    </message>
    <message>
      <source>simulation {simulation!r} is not recorded; the search has 0 to {last}</source>
      <translation>没有第 {simulation!r} 次模拟的记录；搜索有第 0 至 {last} 次</translation>
    </message>
    <message>
      <source>a move that the rules do not allow</source>
      <translation>规则不允许的着法</translation>
    </message>
    <message>
      <source>priors that are no distribution</source>
      <translation>先验不成概率分布</translation>
    </message>
    <message>
      <source>noise below the root</source>
      <translation>根以下有噪声</translation>
    </message>
    <message>
      <source>noise of another root</source>
      <translation>另一个根的噪声</translation>
    </message>
    <message>
      <source>noise that is not as declared</source>
      <translation>噪声与声明不符</translation>
    </message>
    <message>
      <source>no noise at the root</source>
      <translation>根上没有噪声</translation>
    </message>
    <message>
      <source>the result of a finished game, for the wrong side</source>
      <translation>终局结果算给了错误的一方</translation>
    </message>
    <message>
      <source>a value out of range</source>
      <translation>价值超出范围</translation>
    </message>
    <message>
      <source>virtual loss that is not as declared</source>
      <translation>虚拟损失与声明不符</translation>
    </message>
    <message>
      <source>visits that do not sum</source>
      <translation>访问次数对不上</translation>
    </message>
    <message>
      <source>the sign of values</source>
      <translation>价值的正负号</translation>
    </message>
    <message>
      <source>values that do not sum</source>
      <translation>价值之和对不上</translation>
    </message>
    <message>
      <source>Q is not W / N</source>
      <translation>Q 不等于 W / N</translation>
    </message>
    <message>
      <source>the Q of moves without visits</source>
      <translation>未访问着法的 Q</translation>
    </message>
    <message>
      <source>another move at the root than the one due</source>
      <translation>根上进入的不是轮到的着法</translation>
    </message>
    <message>
      <source>another move than the one of greatest score</source>
      <translation>进入的不是得分最高的着法</translation>
    </message>
    <message>
      <source>another move played than the one declared</source>
      <translation>下出的不是声明的着法</translation>
    </message>
    <message>
      <source>{sentence}; from here on {agreeing} of the {tried} moves entered that were compared agree if {cause}</source>
      <translation>{sentence}；若{cause}，则从这里起比较过的 {tried} 个进入的着法中有 {agreeing} 个吻合</translation>
    </message>
    <message>
      <source>{sentence}; from here on all moves entered agree if {cause}</source>
      <translation>{sentence}；若{cause}，则从这里起进入的着法全部吻合</translation>
    </message>
    <message>
      <source>W grows by the value for the other side at every ply</source>
      <translation>在每一层 W 增加的都是另一方的价值</translation>
    </message>
    <message>
      <source>W grows by the value for the other side</source>
      <translation>W 增加的是另一方的价值</translation>
    </message>
    <message>
      <source>W is {w:+.4f}, and the values sum to {right:+.4f}</source>
      <translation>W 为 {w:+.4f}，而价值之和为 {right:+.4f}</translation>
    </message>
    <message>
      <source>{move} is played, and the game is over there</source>
      <translation>下了 {move}，而对局在那里已结束</translation>
    </message>
    <message>
      <source>{move} is played, which the rules do not allow there</source>
      <translation>下了 {move}，规则在那里不允许</translation>
    </message>
    <message>
      <source>N is {n:g} and W {w:+.3f}; with those in flight as declared they are {right_n:g} and {right_w:+.3f}</source>
      <translation>N 为 {n:g}，W 为 {w:+.3f}；按声明计入进行中的模拟应为 {right_n:g} 和 {right_w:+.3f}</translation>
    </message>
    <message>
      <source>N is {n:g}, and {right:g} simulations passed here</source>
      <translation>N 为 {n:g}，而经过这里的模拟有 {right:g} 次</translation>
    </message>
    <message>
      <source>Q is {q:+.4f}, and the mean of the values is {mean:+.4f}</source>
      <translation>Q 为 {q:+.4f}，而价值的平均为 {mean:+.4f}</translation>
    </message>
    <message>
      <source>{move} is played with Q {n:g}, and {best} has {most:g}</source>
      <translation>下了 {move}，Q 为 {n:g}，而 {best} 有 {most:g}</translation>
    </message>
    <message>
      <source>{move} is played with N {n:g}, and {best} has {most:g}</source>
      <translation>下了 {move}，N 为 {n:g}，而 {best} 有 {most:g}</translation>
    </message>
    <message>
      <source>its priors are not those of the net with a share of {share:g} of noise</source>
      <translation>其先验不是网络先验加上占 {share:g} 的噪声</translation>
    </message>
    <message>
      <source>{move} is entered with N {n:g}, and a move with N {due} is due</source>
      <translation>进入了 {move}，它的 N 为 {n:g}，而轮到的是 N 为 {due} 的着法</translation>
    </message>
    <message>
      <source>{move} is entered, and G + ln P + σ(Q) of {best} is greater by {gap:.3g}</source>
      <translation>进入了 {move}，而 {best} 的 G + ln P + σ(Q) 大出 {gap:.3g}</translation>
    </message>
    <message>
      <source>{move} is entered, and the score of {best} is greater by {gap:.3g}</source>
      <translation>进入了 {move}，而 {best} 的得分高出 {gap:.3g}</translation>
    </message>
    <message>
      <source>{move} is entered, and the score of a move without visits is greater by {gap:.3g}</source>
      <translation>进入了 {move}，而某个未访问着法的得分高出 {gap:.3g}</translation>
    </message>
    <message>
      <source>its value is no number</source>
      <translation>其价值不是数</translation>
    </message>
    <message>
      <source>its value is {value:g}, and allowed are {low:g} to {high:g}</source>
      <translation>其价值为 {value:g}，允许 {low:g} 到 {high:g}</translation>
    </message>
    <message>
      <source>N of its moves sum to {sum:g}, and its own is {n:g}</source>
      <translation>各着法的 N 之和为 {sum:g}，而自身的 N 为 {n:g}</translation>
    </message>
    <message>
      <source>a prior is below 0 or no number</source>
      <translation>有先验小于 0 或不是数</translation>
    </message>
    <message>
      <source>the priors of the root are not the net's, and no noise is declared</source>
      <translation>根的先验不是网络的，而没有声明噪声</translation>
    </message>
    <message>
      <source>its noise is that of an earlier root</source>
      <translation>其噪声是先前的根的</translation>
    </message>
    <message>
      <source>the game is over, and its value for the side that moved is {right:+g}, not {value:+g}</source>
      <translation>对局已结束，对走到那里的一方价值为 {right:+g}，而不是 {value:+g}</translation>
    </message>
    <message>
      <source>Q is {q:+.4f}, and W / N is {mean:+.4f}</source>
      <translation>Q 为 {q:+.4f}，而 W / N 为 {mean:+.4f}</translation>
    </message>
    <message>
      <source>{move} has a prior, which the rules do not allow</source>
      <translation>{move} 有先验，而规则不允许这着</translation>
    </message>
    <message>
      <source>its priors are not the net's, and it is not the root</source>
      <translation>其先验不是网络的，而它不是根</translation>
    </message>
    <message>
      <source>it is no longer the root, and has its noise yet</source>
      <translation>它已不是根，却仍带着根的噪声</translation>
    </message>
    <message>
      <source>N of {move} is {n:g}, and no simulation entered it</source>
      <translation>{move} 的 N 为 {n:g}，而没有模拟进入过它</translation>
    </message>
    <message>
      <source>its priors sum to {sum:.4g}</source>
      <translation>其先验之和为 {sum:.4g}</translation>
    </message>
    <message>
      <source>the priors of the root are those of the net</source>
      <translation>根的先验就是网络的先验</translation>
    </message>
    <message>
      <source>W of {move} is {w:g} without a visit</source>
      <translation>{move} 未被访问，W 却为 {w:g}</translation>
    </message>
    <message>
      <source>moves without visits are tried before any other</source>
      <translation>未访问的着法先于其他着法</translation>
    </message>
    <message>
      <source>moves without visits have the Q of a draw</source>
      <translation>未访问的着法取和局的 Q</translation>
    </message>
    <message>
      <source>moves without visits have the Q of a loss</source>
      <translation>未访问的着法取失败的 Q</translation>
    </message>
    <message>
      <source>moves without visits have the Q of a win</source>
      <translation>未访问的着法取胜利的 Q</translation>
    </message>
    <message>
      <source>moves without visits have the Q of the position</source>
      <translation>未访问的着法取局面的 Q</translation>
    </message>
    <message>
      <source>moves without visits have the evaluation of the position</source>
      <translation>未访问的着法取局面的估值</translation>
    </message>
    <message>
      <source>the opponent's moves are chosen by the value of the side at the root</source>
      <translation>对手的着法按根方的价值选择</translation>
    </message>
    <message>
      <source>moves are chosen by the value of the other side</source>
      <translation>着法按另一方的价值选择</translation>
    </message>
    <message>
      <source>values are added up without a change of sign from ply to ply</source>
      <translation>价值逐层相加而不变号</translation>
    </message>
    <message>
      <source>finished games are counted for the other side</source>
      <translation>终局算给了另一方</translation>
    </message>
    <message>
      <source>moves without visits are not reduced</source>
      <translation>未访问的着法没有折减</translation>
    </message>
    <message>
      <source>the choice does not use the noise in the priors</source>
      <translation>选择时没有用先验中的噪声</translation>
    </message>
    <message>
      <source>the choice does not use the priors</source>
      <translation>选择时没有用先验</translation>
    </message>
    <message>
      <source>ΣN counts other simulations than declared</source>
      <translation>ΣN 所计的模拟与声明不同</translation>
    </message>
    <message>
      <source>ΣN counts one simulation more</source>
      <translation>ΣN 多计一次模拟</translation>
    </message>
    <message>
      <source>the constant is squared</source>
      <translation>常数被平方</translation>
    </message>
    <message>
      <source>the constant stands inside the root</source>
      <translation>常数在根号内</translation>
    </message>
    <message>
      <source>the constant is twice as large</source>
      <translation>常数大一倍</translation>
    </message>
    <message>
      <source>the constant is half as large</source>
      <translation>常数小一半</translation>
    </message>
    <message>
      <source>the move of greatest Q is entered, without any bonus</source>
      <translation>进入 Q 最大的着法，不加任何奖励项</translation>
    </message>
    <message>
      <source>simulation {simulation}, {where}: {title}: {sentence} ({count} times)</source>
      <translation>模拟 {simulation}，{where}：{title}：{sentence}（共 {count} 次）</translation>
    </message>
    <message>
      <source>simulation {simulation}, {where}: {title}: {sentence}</source>
      <translation>模拟 {simulation}，{where}：{title}：{sentence}</translation>
    </message>
    <message>
      <source>at the root</source>
      <translation>在根</translation>
    </message>
    <message>
      <source>a number, a bracket, not, abs, min, max, or one of {names}</source>
      <translation>数、括号、not、abs、min、max 或其中之一：{names}</translation>
    </message>
    <message>
      <source>a number or one of {names}</source>
      <translation>数或其中之一：{names}</translation>
    </message>
    <message>
      <source>a comparison, as in N &gt; 100</source>
      <translation>比较，如 N &gt; 100</translation>
    </message>
    <message>
      <source>== or != and a move, as in move == {move}</source>
      <translation>== 或 != 和一个着法，如 move == {move}</translation>
    </message>
    <message>
      <source>win, draw or loss</source>
      <translation>win、draw 或 loss</translation>
    </message>
    <message>
      <source>and, or, a comparison, one of + - * /, or the end</source>
      <translation>and、or、比较、+ - * / 之一，或到此结束</translation>
    </message>
    <message>
      <source>and, or, or )</source>
      <translation>and、or 或 )</translation>
    </message>
    <message>
      <source>one of + - * /, a comparison, or )</source>
      <translation>+ - * / 之一、比较或 )</translation>
    </message>
    <message>
      <source>{least} to {most} numbers in the brackets</source>
      <translation>括号里 {least} 到 {most} 个数</translation>
    </message>
    <message>
      <source>a question has at most {most} characters</source>
      <translation>问题最多 {most} 个字符</translation>
    </message>
    <message>
      <source>“{before} ▸ {rest}” cannot be read at ▸; allowed there: {allowed}</source>
      <translation>“{before} ▸ {rest}”在 ▸ 处读不懂；那里可以是：{allowed}</translation>
    </message>
    <message>
      <source>a question has at most {most} levels of brackets</source>
      <translation>问题最多嵌套 {most} 层括号</translation>
    </message>
    <message>
      <source>blunder</source>
      <translation>大失误</translation>
    </message>
    <message>
      <source>mistake</source>
      <translation>失误</translation>
    </message>
    <message>
      <source>inaccuracy</source>
      <translation>不精确</translation>
    </message>
    <message>
      <source>the classes of points lost are {steps}; write five numbers, each less than the one before, as in {example}</source>
      <translation>损失目数的界限为 {steps}；请写五个数，每个都小于前一个，例如 {example}</translation>
    </message>
    <message>
      <source>Wrong from {first:,} to {end:,} simulations, longest with {move}, a {result}: it had hardly looked at the reply {reply}, which had {visits:,} of {of:,} visits after {middle:,} simulations and has {now:,} of {of_now:,} now.</source>
      <translation>第 {first:,} 至 {end:,} 次模拟所选是错的，最久的是 {move}（结果为{result}）：搜索几乎没有看应手 {reply}，它在第 {middle:,} 次模拟后只有 {of:,} 次访问中的 {visits:,} 次，现在有 {of_now:,} 次中的 {now:,} 次。</translation>
    </message>
    <message>
      <source>Wrong from {first:,} to {end:,} simulations, longest with {move}, a {result}: its Q went from {q_before:+.3f} after {since:,} to {q:+.3f}.</source>
      <translation>第 {first:,} 至 {end:,} 次模拟所选是错的，最久的是 {move}（结果为{result}）：它的 Q 从第 {since:,} 次后的 {q_before:+.3f} 变为 {q:+.3f}。</translation>
    </message>
    <message>
      <source>Wrong since {first:,} simulations, longest with {move}, a {result}: its Q went from {q_before:+.3f} after {since:,} to {q:+.3f}.</source>
      <translation>自第 {first:,} 次模拟起所选一直是错的，最久的是 {move}（结果为{result}）：它的 Q 从第 {since:,} 次后的 {q_before:+.3f} 变为 {q:+.3f}。</translation>
    </message>
    <message>
      <source>Right for good after {right_from:,} of {now:,} simulations.</source>
      <translation>共 {now:,} 次模拟，自第 {right_from:,} 次之后一直正确。</translation>
    </message>
    <message>
      <source>Every move is a {result}: the search cannot be wrong here.</source>
      <translation>每一手的结果都是{result}：搜索在此不会出错。</translation>
    </message>
    <message>
      <source>The best move is wrong now, after {now:,} simulations: it gives away the {result}.</source>
      <translation>{now:,} 次模拟之后，现在的最佳着法是错的：它放弃了{result}。</translation>
    </message>
    <message>
      <source>The best move kept the {result} at each of the {now:,} simulations.</source>
      <translation>在全部 {now:,} 次模拟中，最佳着法始终保持{result}。</translation>
    </message>
    <message>
      <source>From {begun:,} to {simulation:,} simulations Q of {move}, then the best move, fell from {q_before:+.3f} to {q:+.3f}.</source>
      <translation>第 {begun:,} 至 {simulation:,} 次模拟之间，当时的最佳着法 {move} 的 Q 从 {q_before:+.3f} 降到 {q:+.3f}。</translation>
    </message>
    <message>
      <source>From {begun:,} to {simulation:,} simulations Q of {move}, then the best move, fell from {q_before:+.3f} to {q:+.3f}: {grown:,} of its {visits:,} visits between went to the reply {reply}.</source>
      <translation>第 {begun:,} 至 {simulation:,} 次模拟之间，当时的最佳着法 {move} 的 Q 从 {q_before:+.3f} 降到 {q:+.3f}：其间它的 {visits:,} 次访问中有 {grown:,} 次走向应手 {reply}。</translation>
    </message>
    <message>
      <source>After {simulation:,} simulations {after} has more visits than {before}: {visits:,} to {visits_before:,}, Q {q:+.3f} to {q_before:+.3f}.</source>
      <translation>{simulation:,} 次模拟之后 {after} 的访问次数超过 {before}：{visits:,} 对 {visits_before:,}，Q {q:+.3f} 对 {q_before:+.3f}。</translation>
    </message>
    <message>
      <source>seed is {seed!r}; it must be a whole number from 0</source>
      <translation>seed 为 {seed!r}；必须是不小于 0 的整数</translation>
    </message>
    <message>
      <source>none: a move not tried has an infinite bonus</source>
      <translation>无：未试的着法加成为无穷大</translation>
    </message>
    <message>
      <source>PUCT defines no interval: U weighs the prior, not doubt.</source>
      <translation>PUCT 没有定义区间：U 衡量的是先验概率，而非不确定度。</translation>
    </message>
    <message>
      <source>UCB1: Q ± U. For independent values each end is wrong with a probability of at most (ΣN)^−{power:.3g}.</source>
      <translation>UCB1：Q ± U。若各价值相互独立，每一端出错的概率至多为 (ΣN)^−{power:.3g}。</translation>
    </message>
    <message>
      <source>UCB1 tuned</source>
      <translation>UCB1 调整版</translation>
    </message>
    <message>
      <source>Tuned UCB1: Q ± U, which follows the spread of the values; no probability is proved for it.</source>
      <translation>UCB1-tuned：Q ± U，U 随价值的离散程度变化；没有证明过相应的概率。</translation>
    </message>
    <message>
      <source>flat Monte Carlo</source>
      <translation>平面蒙特卡洛</translation>
    </message>
    <message>
      <source>none: the fewest games decide</source>
      <translation>无：由局数最少者决定</translation>
    </message>
    <message>
      <source>the move with the fewest games is next</source>
      <translation>下一着取局数最少的着法</translation>
    </message>
    <message>
      <source>Flat: Wilson's interval of {z:g} standard errors; the games of a move are independent.</source>
      <translation>平面搜索：{z:g} 个标准误的威尔逊区间；一个着法的各盘对局相互独立。</translation>
    </message>
    <message>
      <source>{unvisited}: v_mix, the net's V mixed with the Q of the moves tried</source>
      <translation>{unvisited}：v_mix，即网络的 V 与已试着法的 Q 的混合</translation>
    </message>
    <message>
      <source>π′ {u}, score {score}</source>
      <translation>π′ {u}，得分 {score}</translation>
    </message>
    <message>
      <source>Gumbel defines no interval: its noise g explores.</source>
      <translation>Gumbel 没有定义区间：探索由其噪声 g 完成。</translation>
    </message>
    <message>
      <source>Flat search plays the move with the fewest games next.</source>
      <translation>平面搜索接下来走局数最少的着法。</translation>
    </message>
    <message>
      <source>Score</source>
      <translation>得分</translation>
    </message>
    <message>
      <source>What selection maximises: −N; the next simulation enters the move marked ▸.</source>
      <translation>选择所最大化的量：−N；下一次模拟进入标有 ▸ 的着法。</translation>
    </message>
    <message>
      <source>Improved policy: the prior, raised where Q is above the node's value and lowered below.</source>
      <translation>改进策略：Q 高于节点价值处提高先验概率，低于处降低。</translation>
    </message>
    <message>
      <source>What selection maximises: π′ − N / (1 + ΣN); while the root's field is halved, g + ln P + σ(Q), −∞ for moves not due.  The next simulation enters the move marked ▸.</source>
      <translation>选择所最大化的量：π′ − N / (1 + ΣN)；根节点逐轮减半期间为 g + ln P + σ(Q)，未轮到的着法为 −∞。下一次模拟进入标有 ▸ 的着法。</translation>
    </message>
    <message>
      <source>What selection maximises, with simulations in flight counted as visits: S is the score utility, a part of the lead that the settings add to Q. The next simulation enters the move marked ▸.</source>
      <translation>选择所取的最大值，在途的模拟按访问计：S 为目数效用，即设置加在 Q 上的领先部分。下一次模拟进入标有 ▸ 的着法。</translation>
    </message>
    <message>
      <source>there is no preset {name!r}; there are: {presets}</source>
      <translation>没有名为 {name!r} 的预设；可用的有：{presets}</translation>
    </message>
    <message>
      <source>{name} is {value}; this machine has {memory} MiB of memory</source>
      <translation>{name} 为 {value}；本机内存为 {memory} MiB</translation>
    </message>
    <message>
      <source>a memory budget of {size} bytes holds {nodes} nodes of this game; at least {needed} bytes are needed</source>
      <translation>{size} 字节的内存预算可容纳该棋类的 {nodes} 个节点；至少需要 {needed} 字节</translation>
    </message>
    <message>
      <source>there is not enough memory for a tree of {megabytes} MiB; memory_mb must be less</source>
      <translation>内存不足以容纳 {megabytes} MiB 的树；须减小 memory_mb</translation>
    </message>
    <message>
      <source>this position of {game} has {empties} empty cells, exact solving is offered up to {most}</source>
      <translation>{game} 的此局面有 {empties} 个空格，最多 {most} 个空格时可精确求解</translation>
    </message>
    <message>
      <source>{game} has {cells} cells, exact solving is offered up to {most} where earlier positions count</source>
      <translation>{game} 有 {cells} 个格；在先前局面有影响的棋类中，精确求解最多支持 {most} 个格</translation>
    </message>
    <message>
      <source>{game} has no exact solver, as its positions cannot be told apart by their cells</source>
      <translation>{game} 没有精确求解器，因为只看格子分不清它的局面</translation>
    </message>
    <message>
      <source>the solver of {game} was given a position of {other}</source>
      <translation>{game} 的求解器收到了 {other} 的局面</translation>
    </message>
    <message>
      <source>there are no threats in {game!r}: it must be k in a row on a free board, as gomoku or connectn</source>
      <translation>{game!r} 中没有威胁：须为自由棋盘上的 k 子连线类棋，如 gomoku 或 connectn</translation>
    </message>
    <message>
      <source>there are no threats in {game!r}: Renju's fouls decide which of black's fours and threes are real, which is not worked out here; gomoku with rule freestyle or standard has them</source>
      <translation>{game!r} 中没有威胁：连珠中黑方的四与三哪些成立取决于禁手，此处不作判断；规则为 freestyle 或 standard 的 gomoku 有威胁</translation>
    </message>
    <message>
      <source>{name} is {value!r}; it must be one of {allowed}</source>
      <translation>{name} 为 {value!r}；必须是 {allowed} 之一</translation>
    </message>
    <message>
      <source>max_depth is {max_depth!r}; it must be a whole number from 0 to {most}</source>
      <translation>max_depth 为 {max_depth!r}；必须是 0 至 {most} 的整数</translation>
    </message>
    <message>
      <source>{name} is {limit!r}; it must be a number from 0 on, or None for no limit</source>
      <translation>{name} 为 {limit!r}；必须是不小于 0 的数，或 None（无上限）</translation>
    </message>
    <message>
      <source>{host} cannot be reached ({reason}); the command {command} must get there without asking for anything</source>
      <translation>无法连接 {host}（{reason}）；命令 {command} 须能不询问任何内容就登录</translation>
    </message>
    <message>
      <source>{address} is no address of a machine; it must be HOST, USER@HOST or USER@HOST:PORT</source>
      <translation>{address} 不是机器的地址；须为 HOST、USER@HOST 或 USER@HOST:PORT</translation>
    </message>
    <message>
      <source>Horizon</source>
      <translation>视野</translation>
    </message>
    <message>
      <source>Chance</source>
      <translation>偶然</translation>
    </message>
    <message>
      <source>Not known</source>
      <translation>原因不明</translation>
    </message>
    <message>
      <source>{count} positions were not solved in time and were left out</source>
      <translation>{count} 个局面未能及时解出，已略去</translation>
    </message>
    <message>
      <source>{count} positions have nothing that can be lost and were left out</source>
      <translation>{count} 个局面没有什么可输掉的，已略去</translation>
    </message>
    <message>
      <source>{count} positions have no neighbour of the same value and were left out</source>
      <translation>{count} 个局面没有价值相同的邻近局面，已略去</translation>
    </message>
    <message>
      <source>the audit before has no neighbours of positions of {game}</source>
      <translation>之前的审查没有 {game} 局面的邻近局面</translation>
    </message>
    <message>
      <source>{common} of {count} positions are those of the audit before: hunt with another seed</source>
      <translation>{count} 个局面中有 {common} 个与之前的审查相同：请换一个种子再找</translation>
    </message>
    <message>
      <source>{count} positions were met again, as they are or mirrored, and left out</source>
      <translation>{count} 个局面（含对称者）重复，已略去</translation>
    </message>
    <message>
      <source>{count} positions are not legal in {game} and were left out</source>
      <translation>{count} 个局面在 {game} 中不合法，已略去</translation>
    </message>
    <message>
      <source>{path} has no games of {game}</source>
      <translation>{path} 中没有 {game} 的对局</translation>
    </message>
    <message>
      <source>{file}, game {number}: it is not a game of {game} from its first position</source>
      <translation>{file} 第 {number} 局：不是从初始局面开始的 {game} 对局</translation>
    </message>
    <message>
      <source>{path} is not an audit, or is damaged: {error}</source>
      <translation>{path} 不是审查文件，或已损坏：{error}</translation>
    </message>
    <message>
      <source>wins: completes {k} in a row</source>
      <translation>取胜：连成 {k}</translation>
    </message>
    <message>
      <source>makes {mine} of {k}</source>
      <translation>成 {mine}/{k}</translation>
    </message>
    <message>
      <source>makes no line</source>
      <translation>不成线</translation>
    </message>
    <message>
      <source>{makes}, stops {k} in a row</source>
      <translation>{makes}，阻止连成 {k}</translation>
    </message>
    <message>
      <source>{makes}, stops {theirs} of {k}</source>
      <translation>{makes}，阻止 {theirs}/{k}</translation>
    </message>
    <message>
      <source>the move {name}</source>
      <translation>着法 {name}</translation>
    </message>
    <message>
      <source>opening</source>
      <translation>布局</translation>
    </message>
    <message>
      <source>middle</source>
      <translation>中盘</translation>
    </message>
    <message>
      <source>end</source>
      <translation>收官</translation>
    </message>
    <message>
      <source>random positions after {low} to {high} moves, seed {seed}</source>
      <translation>{low} 至 {high} 手后的随机局面，种子 {seed}</translation>
    </message>
    <message>
      <source>{source}, and their neighbours</source>
      <translation>{source}，及其邻近局面</translation>
    </message>
    <message>
      <source>and {more} more</source>
      <translation>另有 {more} 个</translation>
    </message>
    <message>
      <source>plies is {text!r}; write two whole numbers, as in 8-20</source>
      <translation>手数为 {text!r}；请写两个整数，如 8-20</translation>
    </message>
    <message>
      <source>positions of games by the net's policy after {low} to {high} moves, seed {seed}</source>
      <translation>按网络策略下 {low} 至 {high} 手后的局面，种子 {seed}</translation>
    </message>
    <message>
      <source>there is no position to audit: {source}</source>
      <translation>没有可审查的局面：{source}</translation>
    </message>
    <message>
      <source>{path!r} is an audit of {names}, which changed since; begin a new one</source>
      <translation>{path!r} 是对 {names} 的审查，而该网络此后已变；请开始新的审查</translation>
    </message>
    <message>
      <source>positions of {place}</source>
      <translation>{place} 中的局面</translation>
    </message>
    <message>
      <source>{count} games of {place}, seed {seed}</source>
      <translation>{place} 的 {count} 局，种子 {seed}</translation>
    </message>
    <message>
      <source>auto, local, HOST:PORT or ray://HOST:PORT</source>
      <translation>auto、local、主机:端口 或 ray://主机:端口</translation>
    </message>
    <message>
      <source>the cluster's machines cannot fetch the net from this one: they must reach it, and both use a token or neither; through an address ray://HOST:10001 they need not</source>
      <translation>集群中的机器无法从本机取得网络：它们必须能访问本机，并且双方要么都使用令牌，要么都不使用；通过 ray://HOST:10001 形式的地址则不需要</translation>
    </message>
    <message>
      <source>no cluster answers at {address!r} ({reason})</source>
      <translation>{address!r} 没有集群应答（{reason}）</translation>
    </message>
    <message>
      <source>what answers at {address!r} is no head node of Ray, or asks for its token: then copy the head's ~/.ray/auth_token to the same place here</source>
      <translation>{address!r} 处应答的不是 Ray 的头节点，或者要求它的令牌：请把头节点的 ~/.ray/auth_token 复制到本机的同一位置</translation>
    </message>
    <message>
      <source>{address!r} is no address of a cluster; allowed are {allowed}</source>
      <translation>{address!r} 不是集群地址；允许的是 {allowed}</translation>
    </message>
    <message>
      <source>the cluster at {address!r} runs {theirs} and this machine {ours}; they must be the same</source>
      <translation>{address!r} 的集群运行 {theirs}，本机运行 {ours}；两者必须相同</translation>
    </message>
    <message>
      <source>no cluster runs on this machine: start one by ray start --head, or give its address HOST:PORT</source>
      <translation>本机没有集群在运行：请用 ray start --head 启动一个，或给出其地址 主机:端口</translation>
    </message>
    <message>
      <source>the cluster at {address!r} asks for its token: copy the head's ~/.ray/auth_token to the same place here</source>
      <translation>{address!r} 处的集群要求令牌：请把头节点的 ~/.ray/auth_token 复制到本机的同一位置</translation>
    </message>
    <message>
      <source>no answer for {seconds:.0f} s</source>
      <translation>{seconds:.0f} 秒没有应答</translation>
    </message>
    <message>
      <source>this program is connected to the cluster {address!r} already</source>
      <translation>本程序已连接到集群 {address!r}</translation>
    </message>
    <message>
      <source>work on other machines needs Ray, which is not installed here: pip install "ray&gt;=2.50,&lt;3"</source>
      <translation>在其他机器上工作需要 Ray，而这里没有安装：pip install "ray&gt;=2.50,&lt;3"</translation>
    </message>
    <message>
      <source>RAY_AUTH_MODE asks for a token on this machine, and there is none: copy the head's ~/.ray/auth_token to the same place here, or unset the variable where the head has no token</source>
      <translation>RAY_AUTH_MODE 要求本机出示令牌，但本机没有：请把头节点的 ~/.ray/auth_token 复制到本机相同位置，头节点没有令牌时请取消设置该变量</translation>
    </message>
    <message>
      <source>an address that begins with ray:// needs grpcio, which is not installed here: pip install grpcio</source>
      <translation>以 ray:// 开头的地址需要 grpcio，而这里没有安装：pip install grpcio</translation>
    </message>
    <message>
      <source>the other machine sent something that cannot be read ({reason})</source>
      <translation>另一台机器发来了无法读取的内容（{reason}）</translation>
    </message>
    <message>
      <source>Plyscope is not installed on the machines of the cluster</source>
      <translation>集群的机器上没有安装 Plyscope</translation>
    </message>
    <message>
      <source>the cluster did not answer in time; all its machines may be busy</source>
      <translation>集群没有及时应答；可能所有机器都在忙</translation>
    </message>
    <message>
      <source>the process that searched there has ended</source>
      <translation>那里进行搜索的进程已经结束</translation>
    </message>
    <message>
      <source>Plyscope has ended there ({reason}); install the same version on both machines</source>
      <translation>那里的 Plyscope 已结束（{reason}）；请在两台机器上安装同一版本</translation>
    </message>
    <message>
      <source>exit code {code}</source>
      <translation>退出码 {code}</translation>
    </message>
    <message>
      <source>{host} does not find Plyscope ({reason}); say where it is, as in ssh://{host}/opt/plyscope/bin/plyscope</source>
      <translation>{host} 上找不到 Plyscope（{reason}）；请指出它的位置，例如 ssh://{host}/opt/plyscope/bin/plyscope</translation>
    </message>
    <message>
      <source>{address!r} is no address of a machine; allowed are user@host and ssh://user@host:port/path/of/plyscope</source>
      <translation>{address!r} 不是机器的地址；允许的有 user@host 和 ssh://user@host:port/path/of/plyscope</translation>
    </message>
    <message>
      <source>{name} cannot be started: {reason}</source>
      <translation>无法启动 {name}：{reason}</translation>
    </message>
    <message>
      <source>connected to {machine} again: the search went on meanwhile</source>
      <translation>已重新连接 {machine}：其间搜索继续进行</translation>
    </message>
    <message>
      <source>connected to {machine} again: the search began anew at the position</source>
      <translation>已重新连接 {machine}：从当前局面重新开始搜索</translation>
    </message>
    <message>
      <source>connecting to {address}</source>
      <translation>正在连接 {address}</translation>
    </message>
    <message>
      <source>{net} is too large to be sent; a net may have {most} MB</source>
      <translation>{net} 太大，无法发送；网络最多 {most} MB</translation>
    </message>
    <message>
      <source>the connection to {machine} was lost ({reason}) and is tried again</source>
      <translation>与 {machine} 的连接已中断（{reason}），正在重试</translation>
    </message>
    <message>
      <source>sending the net</source>
      <translation>正在发送网络</translation>
    </message>
    <message>
      <source>the pictures of the tree and the curves are too large for the connection and are left out</source>
      <translation>树图和曲线太大，连接传不下，已略去</translation>
    </message>
    <message>
      <source>the net that was sent is damaged</source>
      <translation>发来的网络已损坏</translation>
    </message>
    <message>
      <source>there is no tree yet</source>
      <translation>还没有树</translation>
    </message>
    <message>
      <source>{machine} has Plyscope {theirs} and this machine {ours}; install the same on both</source>
      <translation>{machine} 上的 Plyscope 是 {theirs}，本机是 {ours}；请在两台机器上安装相同的版本</translation>
    </message>
    <message>
      <source>Plyscope is not installed on {machine}</source>
      <translation>{machine} 上没有安装 Plyscope</translation>
    </message>
    <message>
      <source>the exact solver does not say which move is right here: name it</source>
      <translation>精确求解器无法给出此处的正确着法：请指定它</translation>
    </message>
    <message>
      <source>{move} is right here: name the mistake, or another position</source>
      <translation>{move} 在此是正确的：请指定错误着法，或换一个局面</translation>
    </message>
    <message>
      <source>{move} is both the mistake and the better move: name two</source>
      <translation>{move} 既是错误着法又是更好的着法：请指定两个不同的着法</translation>
    </message>
    <message>
      <source>the exact solver does not say which outcome is right here: name it</source>
      <translation>精确求解器在这里不能判定结果：请指明</translation>
    </message>
    <message>
      <source>the net expects the exact outcome here: name another position</source>
      <translation>网络在这里预期的正是精确的结果：请另选局面</translation>
    </message>
    <message>
      <source>examining the net, which takes a minute or more the first time</source>
      <translation>正在检查网络，第一次需要一分钟或更久</translation>
    </message>
    <message>
      <source>playing positions</source>
      <translation>正在对弈以取得局面</translation>
    </message>
    <message>
      <source>reading positions of {place}</source>
      <translation>正在读取 {place} 的局面</translation>
    </message>
    <message>
      <source>{name}: {done} of {every} nets</source>
      <translation>{name}：{every} 个网络中的第 {done} 个</translation>
    </message>
    <message>
      <source>{path}: {game}, step {step}, {precision}, {size:,.0f} KiB</source>
      <translation>{path}：{game}，第 {step} 步，{precision}，{size:,.0f} KiB</translation>
    </message>
    <message>
      <source>{path!r} is in {precision} already; only a net in fp32 can be converted</source>
      <translation>{path!r} 已是 {precision}；只有 fp32 的网络可以转换</translation>
    </message>
    <message>
      <source>onnxruntime differs from torch by at most {policy:.1e} in the policy's logits and {value:.1e} in the value over {positions} positions</source>
      <translation>在 {positions} 个局面上，onnxruntime 与 torch 的策略 logits 至多相差 {policy:.1e}，价值至多相差 {value:.1e}</translation>
    </message>
    <message>
      <source>{precision} against fp32 over {positions} positions: the same best move in {same:.1%}, one as good in {good:.1%}, a probability differs by at most {policy:.4f}, the value by {mean:.4f} on average and {most:.4f} at most</source>
      <translation>在 {positions} 个局面上将 {precision} 与 fp32 比较：最佳着法相同的占 {same:.1%}，同样好的占 {good:.1%}，概率至多相差 {policy:.4f}，价值平均相差 {mean:.4f}，至多 {most:.4f}</translation>
    </message>
    <message>
      <source>on {device}:</source>
      <translation>在 {device} 上：</translation>
    </message>
    <message>
      <source>  batch        ms  positions/s   fp32 ms   faster</source>
      <translation>批量        ms       局面/s   fp32 ms     加速</translation>
    </message>
    <message>
      <source>  batch        ms  positions/s</source>
      <translation>批量        ms       局面/s</translation>
    </message>
    <message>
      <source>{precision} is not faster than fp32 here; it is meant for GPUs</source>
      <translation>{precision} 在此处并不比 fp32 快；它适用于 GPU</translation>
    </message>
    <message>
      <source>{precision} is not faster than fp32 here</source>
      <translation>{precision} 在此处并不比 fp32 快</translation>
    </message>
    <message>
      <source>on CPU, 1 thread:</source>
      <translation>在 CPU 上，1 个线程：</translation>
    </message>
    <message>
      <source>on CPU, {threads} threads:</source>
      <translation>在 CPU 上，{threads} 个线程：</translation>
    </message>
    <message>
      <source>{name} is {value!r}; the run in {path!r} has {had!r}</source>
      <translation>{name} 为 {value!r}；{path!r} 中的训练为 {had!r}</translation>
    </message>
    <message>
      <source>device is 'cuda', but {reason}; use 'auto' or 'cpu'</source>
      <translation>device 为 'cuda'，但{reason}；请改用 'auto' 或 'cpu'</translation>
    </message>
    <message>
      <source>training needs PyTorch, which is not installed here: pip install "WHEEL[train]", with the file of Plyscope's wheel, brings it along in an environment of its own</source>
      <translation>训练需要 PyTorch，而这里没有安装：在单独的环境中运行 pip install "WHEEL[train]"（WHEEL 为 Plyscope 的 wheel 文件）即可一并装上</translation>
    </message>
    <message>
      <source>{path!r} holds no run to resume; omit --resume to begin one there</source>
      <translation>{path!r} 中没有可继续的训练；要在该处开始新训练，请去掉 --resume</translation>
    </message>
    <message>
      <source>{error}; correct it, or delete it to use the settings of the checkpoint</source>
      <translation>{error}；请更正，或删除它以使用检查点中的设置</translation>
    </message>
    <message>
      <source>the learning rate is {rate:.1e} at most; runs learn with {low:g} to {high:g}</source>
      <translation>学习率最高为 {rate:.1e}；训练通常用 {low:g} 到 {high:g}</translation>
    </message>
    <message>
      <source>{share:.0%} of the resignations that were checked would have been wrong, with resign_below {below:g}</source>
      <translation>检查过的认输中 {share:.0%} 是错的（resign_below 为 {below:g}）</translation>
    </message>
    <message>
      <source>none of {matches} nets passed the gate of {gate:.0%}, {near} of them by less than the chance of {games} games</source>
      <translation>{matches} 个网络都没有通过 {gate:.0%} 的关卡，其中 {near} 个相差不超过 {games} 局的偶然误差</translation>
    </message>
    <message>
      <source>the best of {nets} nets is {lead:.0f} Elo above the first; the newest is known to ±{error:.0f}</source>
      <translation>{nets} 个网络中最好的比最初的高 {lead:.0f} Elo；最新网络的误差为 ±{error:.0f}</translation>
    </message>
    <message>
      <source>the gradient's norm is {norm:.0f} in half of the steps, and is cut to 5</source>
      <translation>半数步骤中梯度的范数为 {norm:.0f}，被截到 5</translation>
    </message>
    <message>
      <source>a full search has {simulations} simulations; the first position alone has {moves} moves</source>
      <translation>一次完整搜索只有 {simulations} 次模拟；光是开局就有 {moves} 种走法</translation>
    </message>
    <message>
      <source>noise_epsilon is {epsilon:g} and c_puct {c:g}: moves that the net does not think of are never tried</source>
      <translation>noise_epsilon 为 {epsilon:g}，c_puct 为 {c:g}：网络没想到的走法永远不会被尝试</translation>
    </message>
    <message>
      <source>after {iterations} iterations it still learns from samples {age:.0f} iterations old</source>
      <translation>{iterations} 次迭代之后，仍在学 {age:.0f} 次迭代之前的样本</translation>
    </message>
    <message>
      <source>each sample is learned from {times:.0f} times</source>
      <translation>每个样本被学了 {times:.0f} 遍</translation>
    </message>
    <message>
      <source>exam {name}: {first:.1%} right in the first {third} of {count} exams, {last:.1%} in the last; with so many questions differences below {chance:.1%} are chance</source>
      <translation>考试 {name}：{count} 次考试中最初 {third} 次答对 {first:.1%}，最后 {third} 次答对 {last:.1%}；题目只有这么多，低于 {chance:.1%} 的差别只是偶然</translation>
    </message>
    <message>
      <source>the loss on new samples changes by {jump:.2f} nats from one iteration to the next</source>
      <translation>新样本上的损失在相邻两次迭代之间变动 {jump:.2f} 纳特</translation>
    </message>
    <message>
      <source>the nets of the last exams</source>
      <translation>最后几次考试的网络</translation>
    </message>
    <message>
      <source>share of right answers</source>
      <translation>答对的比例</translation>
    </message>
    <message>
      <source>checking samples</source>
      <translation>正在检查样本</translation>
    </message>
    <message>
      <source>asking the nets</source>
      <translation>正在询问网络</translation>
    </message>
    <message>
      <source>the moves of its games are not known, so the rules say nothing of its results</source>
      <translation>不知道对局的走法，所以规则无法判断结果</translation>
    </message>
    <message>
      <source>the run has no samples on disk</source>
      <translation>磁盘上没有这次训练的样本</translation>
    </message>
    <message>
      <source>the run has kept no net yet</source>
      <translation>这次训练还没有保留网络</translation>
    </message>
    <message>
      <source>learning one batch</source>
      <translation>正在学习一个批次</translation>
    </message>
    <message>
      <source>a net is asked about samples of a known game: name it</source>
      <translation>要询问网络，必须知道样本属于哪种棋：请写明</translation>
    </message>
    <message>
      <source>{path} is not the folder of a training run ({why})</source>
      <translation>{path} 不是训练的文件夹（{why}）</translation>
    </message>
    <message>
      <source>the rules contradict it</source>
      <translation>与规则矛盾</translation>
    </message>
    <message>
      <source>an experiment shows it</source>
      <translation>实验可以证明</translation>
    </message>
    <message>
      <source>unusual for a sound run</source>
      <translation>正常的训练少见</translation>
    </message>
    <message>
      <source>the net is shown another board</source>
      <translation>网络看到的是另一个棋盘</translation>
    </message>
    <message>
      <source>the net is shown no board</source>
      <translation>网络看不到棋盘</translation>
    </message>
    <message>
      <source>the results have the wrong sign</source>
      <translation>结果的正负号反了</translation>
    </message>
    <message>
      <source>the results are those of another side</source>
      <translation>结果属于另一方</translation>
    </message>
    <message>
      <source>the results are those of other games</source>
      <translation>结果属于别的对局</translation>
    </message>
    <message>
      <source>the policy target has moves that are not legal</source>
      <translation>策略目标里有不合法的走法</translation>
    </message>
    <message>
      <source>the policy target is that of a mirrored board</source>
      <translation>策略目标属于翻转过的棋盘</translation>
    </message>
    <message>
      <source>the policy target is not that of the moves played</source>
      <translation>策略目标与所下的棋不符</translation>
    </message>
    <message>
      <source>the learning rate is too low</source>
      <translation>学习率太低</translation>
    </message>
    <message>
      <source>the learning rate is too high</source>
      <translation>学习率太高</translation>
    </message>
    <message>
      <source>fewer simulations than moves</source>
      <translation>模拟次数少于走法数</translation>
    </message>
    <message>
      <source>the search prefers nothing</source>
      <translation>搜索没有任何偏好</translation>
    </message>
    <message>
      <source>the search gives all to one move</source>
      <translation>搜索把一切都给了一种走法</translation>
    </message>
    <message>
      <source>the search's values have the wrong sign</source>
      <translation>搜索的价值正负号反了</translation>
    </message>
    <message>
      <source>the search's values are those of another side</source>
      <translation>搜索的价值属于另一方</translation>
    </message>
    <message>
      <source>the search's values are worse than the net's</source>
      <translation>搜索的价值比网络的还差</translation>
    </message>
    <message>
      <source>the search overlooks wins in one move</source>
      <translation>搜索看不到一步取胜</translation>
    </message>
    <message>
      <source>noise decides the search</source>
      <translation>噪声左右了搜索</translation>
    </message>
    <message>
      <source>games are given up that are not lost</source>
      <translation>没有输的对局也认输</translation>
    </message>
    <message>
      <source>moves are never drawn at random</source>
      <translation>从不随机选择走法</translation>
    </message>
    <message>
      <source>moves are drawn at random to the end</source>
      <translation>直到终局都在随机选择走法</translation>
    </message>
    <message>
      <source>the same games again and again</source>
      <translation>总是同样的对局</translation>
    </message>
    <message>
      <source>every game ends alike</source>
      <translation>每局的结果都一样</translation>
    </message>
    <message>
      <source>most samples are of old nets</source>
      <translation>大多数样本来自旧网络</translation>
    </message>
    <message>
      <source>too few samples for the steps taken</source>
      <translation>样本太少，步数太多</translation>
    </message>
    <message>
      <source>the net learned values of the wrong sign</source>
      <translation>网络学到的价值正负号反了</translation>
    </message>
    <message>
      <source>the net learned values of another side</source>
      <translation>网络学到的是另一方的价值</translation>
    </message>
    <message>
      <source>the net learned policies of turned boards</source>
      <translation>网络学到的是翻转棋盘的策略</translation>
    </message>
    <message>
      <source>the weights do not move</source>
      <translation>权重没有变化</translation>
    </message>
    <message>
      <source>the net cannot learn one batch by heart</source>
      <translation>网络连一个批次都记不住</translation>
    </message>
    <message>
      <source>the net no longer learns</source>
      <translation>网络不再学习</translation>
    </message>
    <message>
      <source>the value is the same everywhere</source>
      <translation>价值处处相同</translation>
    </message>
    <message>
      <source>the value is certain, and often wrong</source>
      <translation>价值非常肯定，却常常是错的</translation>
    </message>
    <message>
      <source>the policy does not depend on the position</source>
      <translation>策略与局面无关</translation>
    </message>
    <message>
      <source>the value knows less than a straight line</source>
      <translation>价值还不如线性函数</translation>
    </message>
    <message>
      <source>the policy knows less than counting</source>
      <translation>策略还不如简单计数</translation>
    </message>
    <message>
      <source>the search is no better than the net</source>
      <translation>搜索并不比网络强</translation>
    </message>
    <message>
      <source>the net learns its samples by heart</source>
      <translation>网络在死记样本</translation>
    </message>
    <message>
      <source>the loss jumps</source>
      <translation>损失忽高忽低</translation>
    </message>
    <message>
      <source>the gate rejects nets by chance</source>
      <translation>关卡靠运气淘汰网络</translation>
    </message>
    <message>
      <source>the exam does not tell the newest nets from the first</source>
      <translation>考试分不出最新的网络与最初的网络</translation>
    </message>
    <message>
      <source>the ladder does not tell the nets from the first</source>
      <translation>天梯分不出各网络与最初的网络</translation>
    </message>
    <message>
      <source>{title}: {sentence}</source>
      <translation>{title}：{sentence}</translation>
    </message>
    <message>
      <source>experiment: {change}; {figure} {before} → {after}</source>
      <translation>实验：{change}；{figure} {before} → {after}</translation>
    </message>
    <message>
      <source>its samples differ in the sizes of their planes or policies</source>
      <translation>样本的平面或策略大小不一</translation>
    </message>
    <message>
      <source>a line has more than {most} bytes</source>
      <translation>有一行超过 {most} 字节</translation>
    </message>
    <message>
      <source>it has more than {most} samples</source>
      <translation>样本超过 {most} 个</translation>
    </message>
    <message>
      <source>planes is to have the shape (samples, planes, rows, columns), policy (samples, moves)</source>
      <translation>planes 的形状应为（样本、平面、行、列），policy 应为（样本、走法）</translation>
    </message>
    <message>
      <source>an array in it does not hold numbers</source>
      <translation>其中有数组不是数字</translation>
    </message>
    <message>
      <source>its arrays are not as long as one another</source>
      <translation>各数组长度不一</translation>
    </message>
    <message>
      <source>legal is to have the shape of policy</source>
      <translation>legal 的形状应与 policy 相同</translation>
    </message>
    <message>
      <source>a plane, policy or value in it is out of range</source>
      <translation>其中有平面、策略或价值超出范围</translation>
    </message>
    <message>
      <source>its policies have {count} moves, and {game} has {wanted}</source>
      <translation>策略有 {count} 种走法，而 {game} 有 {wanted} 种</translation>
    </message>
    <message>
      <source>the moves of game {game} are missing</source>
      <translation>缺少第 {game} 局的走法</translation>
    </message>
    <message>
      <source>a move of its games is not legal in {game}</source>
      <translation>对局中有走法在 {game} 中不合法</translation>
    </message>
    <message>
      <source>a game has more than {most} moves</source>
      <translation>有一局超过 {most} 步</translation>
    </message>
    <message>
      <source>{file} is no file of samples: {error}</source>
      <translation>{file} 不是样本文件：{error}</translation>
    </message>
    <message>
      <source>its first line is not that of {format!r}, version {version}</source>
      <translation>第一行不是 {format!r} 第 {version} 版</translation>
    </message>
    <message>
      <source>line {number}: {error}</source>
      <translation>第 {number} 行：{error}</translation>
    </message>
    <message>
      <source>{share:.0%} of {games} games of one iteration are move for move the same as an earlier one</source>
      <translation>一次迭代的 {games} 局中，{share:.0%} 与之前某局每一步都相同</translation>
    </message>
    <message>
      <source>share of moves that are the target's first</source>
      <translation>所下的棋是目标首选的比例</translation>
    </message>
    <message>
      <source>moves drawn from the target as the settings say</source>
      <translation>按设置从目标中抽取走法</translation>
    </message>
    <message>
      <source>wins of the first player</source>
      <translation>先手的胜局</translation>
    </message>
    <message>
      <source>wins of the second player</source>
      <translation>后手的胜局</translation>
    </message>
    <message>
      <source>{share:.0%} of {games} games are {results}</source>
      <translation>{games} 局中 {share:.0%} 是{results}</translation>
    </message>
    <message>
      <source>{seen:.0%} of the first {plies} plies are the target's first move; drawn by the target it would be {expected:.0%}</source>
      <translation>前 {plies} 步中 {seen:.0%} 是目标的首选；按目标抽取应为 {expected:.0%}</translation>
    </message>
    <message>
      <source>{seen:.0%} of the plies after the first {plies} are the target's first move; by the settings it would be {expected:.0%}</source>
      <translation>{plies} 步之后 {seen:.0%} 是目标的首选；按设置应为 {expected:.0%}</translation>
    </message>
    <message>
      <source>mean absolute error of the value</source>
      <translation>价值的平均绝对误差</translation>
    </message>
    <message>
      <source>the net's value has the sign of the sample's result in {share:.0%}</source>
      <translation>网络的价值与样本结果同号的占 {share:.0%}</translation>
    </message>
    <message>
      <source>cross-entropy with the policy target</source>
      <translation>与策略目标的交叉熵</translation>
    </message>
    <message>
      <source>counting how often each move is a target predicts the targets better than the net does</source>
      <translation>只数每种走法作为目标的次数，就比网络预测得好</translation>
    </message>
    <message>
      <source>the policy follows {mean:.0%} of what targets say whichever way the board is turned, and {rest:.0%} of the rest</source>
      <translation>策略遵循目标中与棋盘朝向无关部分的 {mean:.0%}，其余部分的 {rest:.0%}</translation>
    </message>
    <message>
      <source>share of the target that the policy follows</source>
      <translation>策略所遵循的目标比例</translation>
    </message>
    <message>
      <source>the mean of the target over turned and mirrored boards</source>
      <translation>目标在旋转和翻转棋盘上的平均</translation>
    </message>
    <message>
      <source>the target of the search is the net's own policy, up to {gained:.3f} nats, with the same first move in {same:.0%}; yet its value errs by {error:.2f}</source>
      <translation>搜索的目标就是网络自己的策略，只差 {gained:.3f} 纳特，首选相同的占 {same:.0%}；可是价值的误差为 {error:.2f}</translation>
    </message>
    <message>
      <source>the net of step {step} predicts new games better than that of step {newest}, which learned longer</source>
      <translation>第 {step} 步的网络对新对局的预测优于学得更久的第 {newest} 步的网络</translation>
    </message>
    <message>
      <source>in the last {plies} plies of new games the net's value predicts the result better than the search does, which sees further</source>
      <translation>在新对局的最后 {plies} 手里，网络的价值比看得更远的搜索更准确地预测结果</translation>
    </message>
    <message>
      <source>{steps} steps moved the policy by {change:.3f} on average, and it is {wrong:.2f} from its target; the rate is {rate:g}</source>
      <translation>{steps} 步平均只让策略变动 {change:.3f}，它离目标还有 {wrong:.2f}；学习率为 {rate:g}</translation>
    </message>
    <message>
      <source>the sign of the net's values turned</source>
      <translation>把网络价值的正负号反过来</translation>
    </message>
    <message>
      <source>a straight line fitted to the planes</source>
      <translation>用线性函数拟合输入平面</translation>
    </message>
    <message>
      <source>mean squared error of the value on other games</source>
      <translation>其他对局上价值的均方误差</translation>
    </message>
    <message>
      <source>its value is {mean:+.2f} everywhere (standard deviation {spread:.3f}), while results differ</source>
      <translation>价值处处是 {mean:+.2f}（标准差 {spread:.3f}），而结果各不相同</translation>
    </message>
    <message>
      <source>{sure:.0%} of its values are beyond ±0.98, and {wrong:.0%} of them have the wrong sign</source>
      <translation>{sure:.0%} 的价值超过 ±0.98，其中 {wrong:.0%} 的正负号是错的</translation>
    </message>
    <message>
      <source>on games left out a straight line over the planes predicts results better than the net does</source>
      <translation>在留出的对局上，输入平面的线性函数比网络更能预测结果</translation>
    </message>
    <message>
      <source>how often each move is a target, in any position</source>
      <translation>不看局面，只看每种走法作为目标的次数</translation>
    </message>
    <message>
      <source>its policy is the same in all positions, up to {spread:.3f}</source>
      <translation>策略在所有局面中都一样，最多差 {spread:.3f}</translation>
    </message>
    <message>
      <source>the net of step {step}</source>
      <translation>第 {step} 步的网络</translation>
    </message>
    <message>
      <source>mean squared error of the value on new games</source>
      <translation>新对局上价值的均方误差</translation>
    </message>
    <message>
      <source>the net's own value</source>
      <translation>网络自己的价值</translation>
    </message>
    <message>
      <source>mean squared error of the search's value</source>
      <translation>搜索价值的均方误差</translation>
    </message>
    <message>
      <source>the nets of steps {first} and {last} answer alike, up to {difference:.0e}; the learning rate was at most {rate:g}</source>
      <translation>第 {first} 步和第 {last} 步的网络回答相同，最多差 {difference:.0e}；学习率最高为 {rate:g}</translation>
    </message>
    <message>
      <source>{steps} steps turned the filters of the net by {turned:.4f} in the median (1 - cosine); the learning rate was at most {rate:g}</source>
      <translation>{steps} 步训练使网络的滤波器转动的中位数为 {turned:.4f}（1 − 余弦）；学习率最高为 {rate:g}</translation>
    </message>
    <message>
      <source>the search's value</source>
      <translation>搜索的价值</translation>
    </message>
    <message>
      <source>the sign turned in positions of the second player</source>
      <translation>把后手局面的正负号反过来</translation>
    </message>
    <message>
      <source>the sign turned in positions of the first player</source>
      <translation>把先手局面的正负号反过来</translation>
    </message>
    <message>
      <source>share of samples with the planes of their positions</source>
      <translation>输入平面与局面相符的样本比例</translation>
    </message>
    <message>
      <source>{share:.0%} of the samples have other planes than their positions</source>
      <translation>{share:.0%} 的样本的输入平面与局面不符</translation>
    </message>
    <message>
      <source>{count} samples have {planes} different inputs, and {targets} different policy targets</source>
      <translation>{count} 个样本只有 {planes} 种输入，却有 {targets} 种策略目标</translation>
    </message>
    <message>
      <source>share of results that the rules prove</source>
      <translation>与规则相符的结果比例</translation>
    </message>
    <message>
      <source>{share:.0%} of the results are not those of the games</source>
      <translation>{share:.0%} 的结果与对局不符</translation>
    </message>
    <message>
      <source>{share:.0%} of the policy targets give chances to moves that are not legal, {mass:.0%} on average</source>
      <translation>{share:.0%} 的策略目标给了不合法的走法机会，平均 {mass:.0%}</translation>
    </message>
    <message>
      <source>share of targets with moves that are not legal</source>
      <translation>含有不合法走法的目标比例</translation>
    </message>
    <message>
      <source>chance of the move played, beside that of a move drawn from the target</source>
      <translation>所下的棋的概率，与从目标抽取的走法相比</translation>
    </message>
    <message>
      <source>the moves played have {ratio:.0%} of the chance that moves drawn from the target have</source>
      <translation>所下的棋的概率只有从目标抽取的走法的 {ratio:.0%}</translation>
    </message>
    <message>
      <source>share of positions near the end with the sign of the result</source>
      <translation>终局附近与结果同号的局面比例</translation>
    </message>
    <message>
      <source>in the last {plies} plies of its game the search's value has the sign of the result in {share:.0%}</source>
      <translation>在对局最后 {plies} 步，搜索的价值与结果同号的占 {share:.0%}</translation>
    </message>
    <message>
      <source>where a move wins at once, the policy target gives it {share:.0%} on average, over {count} positions</source>
      <translation>在有一步取胜的 {count} 个局面中，策略目标平均只给它 {share:.0%}</translation>
    </message>
    <message>
      <source>{share:.0%} of the policy targets of undecided positions give everything to one move</source>
      <translation>在胜负未定的局面中，{share:.0%} 的策略目标把一切都给了一种走法</translation>
    </message>
    <message>
      <source>{share:.0%} of the samples have other planes than their positions; wrong are planes {planes}</source>
      <translation>{share:.0%} 的样本的输入平面与局面不符；错的是平面 {planes}</translation>
    </message>
    <message>
      <source>{share:.0%} of the results of games that were given up are not those that the rules prove; of games that were played to the end hardly any is</source>
      <translation>认输的对局中有 {share:.0%} 的结果与规则所证明的不符；下到终局的对局几乎没有</translation>
    </message>
    <message>
      <source>the sign of the search's values turned</source>
      <translation>把搜索价值的正负号反过来</translation>
    </message>
    <message>
      <source>{share:.0%} of the policy targets are almost equal chances for all legal moves</source>
      <translation>{share:.0%} 的策略目标对所有合法走法几乎一视同仁</translation>
    </message>
    <message>
      <source>{count} times a position was searched again by the same net, and the policy target changed by {distance:.1%}: there is no noise at the root</source>
      <translation>同一网络有 {count} 次再次搜索了同一局面，策略目标只变化 {distance:.1%}：根节点没有噪声</translation>
    </message>
    <message>
      <source>{count} times a position was searched again by the same net, and {distance:.0%} of the policy target went to other moves</source>
      <translation>同一网络有 {count} 次再次搜索了同一局面，策略目标有 {distance:.0%} 转到了其他着法</translation>
    </message>
    <message>
      <source>the position one move later</source>
      <translation>换成后一步的局面</translation>
    </message>
    <message>
      <source>the sign of all results turned</source>
      <translation>把所有结果的正负号反过来</translation>
    </message>
    <message>
      <source>the target says as much of the move that led to the position as of the one played there</source>
      <translation>策略目标对到达该局面的那一步，与对在该局面所下的一步说得一样多</translation>
    </message>
    <message>
      <source>the move that led to the position instead of the one played there</source>
      <translation>用走到该局面的那一手代替在那里所下的一手</translation>
    </message>
    <message>
      <source>the policy in the reverse order of moves</source>
      <translation>把走法的顺序倒过来</translation>
    </message>
    <message>
      <source>the stones of both sides exchanged</source>
      <translation>交换双方的棋子</translation>
    </message>
    <message>
      <source>the board turned or mirrored back</source>
      <translation>把棋盘转回或翻回来</translation>
    </message>
    <message>
      <source>plane {number} filled in</source>
      <translation>补上平面 {number}</translation>
    </message>
    <message>
      <source>the policy turned or mirrored back</source>
      <translation>把策略转回或翻回来</translation>
    </message>
    <message>
      <source>the engine {name} offers no analysis; it only plays</source>
      <translation>引擎 {name} 不提供分析；它只会下棋</translation>
    </message>
    <message>
      <source>it is no move of {game}</source>
      <translation>它不是 {game} 的着法</translation>
    </message>
    <message>
      <source>the engine {name} played {move}, which is not legal: {reason}</source>
      <translation>引擎 {name} 走了 {move}，这不合规则：{reason}</translation>
    </message>
    <message>
      <source>{word} must be a whole number from 1 to {most}</source>
      <translation>{word} 必须是 1 到 {most} 的整数</translation>
    </message>
    <message>
      <source>the engine {name} named no move</source>
      <translation>引擎 {name} 没有给出任何着法</translation>
    </message>
    <message>
      <source>{word} is no time for a move; it must be above 0 and at most 3600 s</source>
      <translation>{word} 不能作为一着的时间；必须大于 0 且不超过 3600 秒</translation>
    </message>
    <message>
      <source>{word} is no option of an engine; write seconds per move as in 1s, depth=6, memory=256 (MiB), visits=500, or winrate=mover, black or white: whose win rates its analysis gives</source>
      <translation>{word} 不是引擎的选项；请写每着的秒数（如 1s）、depth=6、memory=256（MiB）、visits=500，或 winrate=mover、black、white：它的分析给出谁的胜率</translation>
    </message>
    <message>
      <source>GTP: Go and other boards of points (KataGo, GNU Go, Leela Zero)</source>
      <translation>GTP：围棋及其他点阵棋盘（KataGo、GNU Go、Leela Zero）</translation>
    </message>
    <message>
      <source>KataGo's analysis engine: Go (katago analysis)</source>
      <translation>KataGo 的分析引擎：围棋（katago analysis）</translation>
    </message>
    <message>
      <source>Gomocup: five in a row (Rapfi, Yixin, Piskvork's engines)</source>
      <translation>Gomocup：五子连线（Rapfi、弈心、Piskvork 的引擎）</translation>
    </message>
    <message>
      <source>NBoard: Othello (NTest, edax)</source>
      <translation>NBoard：黑白棋（NTest、edax）</translation>
    </message>
    <message>
      <source>{name} is no name for an engine; it must have 1 to 60 letters, digits, spaces, or . + - _</source>
      <translation>{name} 不能作为引擎的名称；必须是 1 到 60 个字母、数字、空格或 . + - _</translation>
    </message>
    <message>
      <source>{protocol} is no protocol; it must be one of {protocols}</source>
      <translation>{protocol} 不是协议；必须是 {protocols} 之一</translation>
    </message>
    <message>
      <source>{file} is no list of engines: {reason}</source>
      <translation>{file} 不是引擎列表：{reason}</translation>
    </message>
    <message>
      <source>there are two engines with the name {name}</source>
      <translation>有两个引擎名为 {name}</translation>
    </message>
    <message>
      <source>{game} is no name of a game; there are {names}</source>
      <translation>{game} 不是棋种名；有 {names}</translation>
    </message>
    <message>
      <source>the engine {name} refuses {command}: {reason}</source>
      <translation>引擎 {name} 拒绝 {command}：{reason}</translation>
    </message>
    <message>
      <source>the engine {name} lacks the GTP command {command}</source>
      <translation>引擎 {name} 缺少 GTP 命令 {command}</translation>
    </message>
    <message>
      <source>GTP cannot set up a position of {game} for the engine {name}; it begins as the game does</source>
      <translation>GTP 无法为引擎 {name} 摆出 {game} 的局面；它从开局开始</translation>
    </message>
    <message>
      <source>{reason}; its rules may not be those of {game}</source>
      <translation>{reason}；它的规则可能与 {game} 不同</translation>
    </message>
    <message>
      <source>{name} plays {game}: it resigns</source>
      <translation>{name} 下 {game}：它认输</translation>
    </message>
    <message>
      <source>{name} plays {game}: its first move is {move}</source>
      <translation>{name} 下 {game}：它的第一着是 {move}</translation>
    </message>
    <message>
      <source>the engine {name} is listed for {games}, not for {game}</source>
      <translation>引擎 {name} 列为用于 {games}，不用于 {game}</translation>
    </message>
    <message>
      <source>the folder {folder} of the engine {name} does not exist</source>
      <translation>引擎 {name} 的文件夹 {folder} 不存在</translation>
    </message>
    <message>
      <source>the engine {name} failed: {error}</source>
      <translation>引擎 {name} 出错：{error}</translation>
    </message>
    <message>
      <source>{game} cannot be played by {protocol}; it needs {needed}</source>
      <translation>{game} 不能用 {protocol} 下；需要 {needed}</translation>
    </message>
    <message>
      <source>the engine {name} ended: {reason}</source>
      <translation>引擎 {name} 已退出：{reason}</translation>
    </message>
    <message>
      <source>{command} is no command; write the program and its options, as in gnugo --mode gtp</source>
      <translation>{command} 不是命令；请写出程序及其选项，例如 gnugo --mode gtp</translation>
    </message>
    <message>
      <source>the connection to {host} was lost ({reason})</source>
      <translation>与 {host} 的连接已中断（{reason}）</translation>
    </message>
    <message>
      <source>the engine {name}: {reason}</source>
      <translation>引擎 {name}：{reason}</translation>
    </message>
    <message>
      <source>the engine {name} ended at its start: {reason}</source>
      <translation>引擎 {name} 在启动时结束：{reason}</translation>
    </message>
    <message>
      <source>the engine {name}, started in the folder {folder}, ended at its start: {reason}</source>
      <translation>引擎 {name}（在文件夹 {folder} 中启动）启动时即已退出：{reason}</translation>
    </message>
    <message>
      <source>the engine {name} gave no answer for {seconds:g} s</source>
      <translation>引擎 {name} 在 {seconds:g} 秒内没有回答</translation>
    </message>
    <message>
      <source>the engine {name} cannot be started: {reason}</source>
      <translation>引擎 {name} 无法启动：{reason}</translation>
    </message>
    <message>
      <source>{net} has no attention between the cells of the board, as transformers have</source>
      <translation>{net} 没有 Transformer 那种棋盘格子之间的注意力</translation>
    </message>
    <message>
      <source>the attention of {net} is one operation, {operator}, which does not give its weights</source>
      <translation>{net} 的注意力是单个运算 {operator}，它不给出权重</translation>
    </message>
    <message>
      <source>{net} has {heads} heads over {cells} cells, more than can be shown</source>
      <translation>{net} 有 {heads} 个头、{cells} 个格子，多得无法显示</translation>
    </message>
    <message>
      <source>after the last block</source>
      <translation>最后一块之后</translation>
    </message>
    <message>
      <source>{block}, layer {number}</source>
      <translation>{block}，第 {number} 层</translation>
    </message>
    <message>
      <source>After {block} the net wants {move} ({share:.0%}); {turning} turns to {final}, at the end with {final_share:.0%}.</source>
      <translation>{block}之后网络想下 {move}（{share:.0%}）；{turning}转向 {final}，最终为 {final_share:.0%}。</translation>
    </message>
    <message>
      <source>The net wants {final} from the stem on; at the end with {final_share:.0%}.</source>
      <translation>网络从主干入口起就想下 {final}；最终为 {final_share:.0%}。</translation>
    </message>
    <message>
      <source>The stem wants {move} ({share:.0%}); {turning} turns to {final}, at the end with {final_share:.0%}.</source>
      <translation>主干入口想下 {move}（{share:.0%}）；{turning}转向 {final}，最终为 {final_share:.0%}。</translation>
    </message>
    <message>
      <source>the game is over: the net is not asked for a move</source>
      <translation>对局已结束：不再向网络询问着法</translation>
    </message>
    <message>
      <source>a stone of the side to move completes a line here</source>
      <translation>轮走方在此落子即连成一线（获胜）</translation>
    </message>
    <message>
      <source>a stone of the side to move makes an open four here, or two fours</source>
      <translation>轮走方在此落子成活四或双四</translation>
    </message>
    <message>
      <source>a stone of the side to move makes a four here</source>
      <translation>轮走方在此落子成冲四</translation>
    </message>
    <message>
      <source>a stone of the side to move makes an open three here</source>
      <translation>轮走方在此落子成活三</translation>
    </message>
    <message>
      <source>a stone of the other side completes a line here</source>
      <translation>对方在此落子即连成一线（获胜）</translation>
    </message>
    <message>
      <source>a stone of the other side makes an open four here, or two fours</source>
      <translation>对方在此落子成活四或双四</translation>
    </message>
    <message>
      <source>a stone of the other side makes a four here</source>
      <translation>对方在此落子成冲四</translation>
    </message>
    <message>
      <source>a stone of the other side makes an open three here</source>
      <translation>对方在此落子成活三</translation>
    </message>
    <message>
      <source>the concept {name!r} cannot be used: {reason}</source>
      <translation>概念 {name!r} 无法使用：{reason}</translation>
    </message>
    <message>
      <source>the side to move wins, by the solver</source>
      <translation>轮走方必胜（据求解器）</translation>
    </message>
    <message>
      <source>the number of empty cells is odd</source>
      <translation>空格数为奇数</translation>
    </message>
    <message>
      <source>its labels are not all 0, 1 or NaN</source>
      <translation>其标签并非全是 0、1 或 NaN</translation>
    </message>
    <message>
      <source>a label is infinite</source>
      <translation>有标签为无穷大</translation>
    </message>
    <message>
      <source>the side to move wins within three plies</source>
      <translation>轮走方三步内获胜</translation>
    </message>
    <message>
      <source>the side to move loses within two plies</source>
      <translation>轮走方两步内落败</translation>
    </message>
    <message>
      <source>the side to move wins within nine plies, by the solver</source>
      <translation>轮走方九步内获胜（据求解器）</translation>
    </message>
    <message>
      <source>the side to move loses within nine plies, by the solver</source>
      <translation>轮走方九步内落败（据求解器）</translation>
    </message>
    <message>
      <source>a disc of the side to move that can never be turned</source>
      <translation>轮走方永远不会被翻转的棋子</translation>
    </message>
    <message>
      <source>a disc of the other side that can never be turned</source>
      <translation>对方永远不会被翻转的棋子</translation>
    </message>
    <message>
      <source>a point that is forbidden to the side to move</source>
      <translation>轮走方的禁手点</translation>
    </message>
    <message>
      <source>its labels have the shape {shape}, not {wanted}</source>
      <translation>其标签的形状是 {shape}，而不是 {wanted}</translation>
    </message>
    <message>
      <source>no stone of {game} can be changed by itself: the moves of this game change other stones, or place none</source>
      <translation>{game} 的棋子无法单独改变：这种棋的着法会改变其他棋子，或不放棋子</translation>
    </message>
    <message>
      <source>{net} has {size}; graphs of up to {most} are shown</source>
      <translation>{net} 有 {size}；可显示的计算图最多为 {most}</translation>
    </message>
    <message>
      <source>policy head</source>
      <translation>策略头</translation>
    </message>
    <message>
      <source>value head</source>
      <translation>价值头</translation>
    </message>
    <message>
      <source>other outputs</source>
      <translation>其他输出</translation>
    </message>
    <message>
      <source>{nodes} operations</source>
      <translation>{nodes} 个运算</translation>
    </message>
    <message>
      <source>shared by the heads</source>
      <translation>各输出头共用</translation>
    </message>
    <message>
      <source>body</source>
      <translation>主体</translation>
    </message>
    <message>
      <source>{bytes} bytes</source>
      <translation>{bytes} 字节</translation>
    </message>
    <message>
      <source>{net} cannot be evaluated: {error}</source>
      <translation>{net} 无法求值：{error}</translation>
    </message>
    <message>
      <source>{folder} has {count} kept nets of a run; to compare them there must be at least {least}</source>
      <translation>{folder} 里有 {count} 个训练保存的网络；要比较它们，至少需要 {least} 个</translation>
    </message>
    <message>
      <source>step {step}</source>
      <translation>第 {step} 步</translation>
    </message>
    <message>
      <source>iteration {number}</source>
      <translation>第 {number} 次迭代</translation>
    </message>
    <message>
      <source>reading the blocks of {net}</source>
      <translation>正在读取 {net} 的各块</translation>
    </message>
    <message>
      <source>Of {wrong} wrong first moves {made} were right after an earlier block; most of these, {most}, are lost in {block}.</source>
      <translation>{wrong} 个错误的首选着法中，有 {made} 个在较早的块之后本来正确；其中最多的 {most} 个在{block}丢掉。</translation>
    </message>
    <message>
      <source>Of {wrong} wrong first moves none was right after an earlier block.</source>
      <translation>{wrong} 个错误的首选着法中，没有一个在较早的块之后是正确的。</translation>
    </message>
    <message>
      <source>the audit is of {game}, the net for {other}</source>
      <translation>该审查针对 {game}，而网络用于 {other}</translation>
    </message>
    <message>
      <source>a map needs {least} positions; there are {number}</source>
      <translation>地图至少需要 {least} 个局面；这里有 {number} 个</translation>
    </message>
    <message>
      <source>Right for the right reason: {mean} ({low} to {high}), the mean of {count} of {looked} right first moves looked at; a guess has 0.50.</source>
      <translation>理由正确：{mean}（{low} 到 {high}），这是所查看的 {looked} 个正确首选着法中 {count} 个的平均值；乱猜为 0.50。</translation>
    </message>
    <message>
      <source>None of {looked} right first moves has a figure for its reason.</source>
      <translation>所查看的 {looked} 个正确首选着法都没有理由的数字。</translation>
    </message>
    <message>
      <source>{done} of {count} right first moves looked at</source>
      <translation>{count} 个正确首选着法中已查看 {done} 个</translation>
    </message>
    <message>
      <source>its choice depends on plies {seen} of this line, and on {blind} no more than by chance</source>
      <translation>它的选择依赖这条变化的第 {seen} 手，对第 {blind} 手的依赖不超过偶然</translation>
    </message>
    <message>
      <source>no position was found in which a ply of this line cannot be played or has no point</source>
      <translation>没有找到这一变化中某一手下不了或失去意义的局面</translation>
    </message>
    <message>
      <source>its choice depends on no ply after the first that could be examined</source>
      <translation>它的选择不依赖于第一着之后任何可以检查的一手</translation>
    </message>
    <message>
      <source>its choice depends on every ply that could be examined, up to ply {last}</source>
      <translation>它的选择依赖于所有可以检查的手，直到第 {last} 手</translation>
    </message>
    <message>
      <source>it reads {depth} plies here; ply {blind} it does not</source>
      <translation>它在这里读到 {depth} 手；第 {blind} 手没有读到</translation>
    </message>
    <message>
      <source>the line has no move that puts a stone on the board</source>
      <translation>该变化没有在棋盘上放子的着法</translation>
    </message>
    <message>
      <source>examining ply {number} of {count}…</source>
      <translation>正在检验第 {number} 手，共 {count} 手…</translation>
    </message>
    <message>
      <source>{number} of {rivals} nets with weights in random order compared…</source>
      <translation>已比较 {rivals} 个权重次序打乱的网络中的 {number} 个…</translation>
    </message>
    <message>
      <source>the selection {name} has {count} different positions in {games} games; to fit a line and to judge it by other games, about {wanted} positions in as many games are needed</source>
      <translation>选出的 {name} 有来自 {games} 局的 {count} 个不同局面；要拟合一条直线并用其他对局评判，大约需要来自同样多对局的 {wanted} 个局面</translation>
    </message>
    <message>
      <source>{place} has no position of {game}</source>
      <translation>{place} 没有 {game} 的局面</translation>
    </message>
    <message>
      <source>The mistakes are those of {net}; this net was not audited.</source>
      <translation>失误是 {net} 的；此网络没有被审查过。</translation>
    </message>
    <message>
      <source>{count} of {every} games were drawn</source>
      <translation>从 {every} 局中抽取了 {count} 局</translation>
    </message>
    <message>
      <source>The net wants {move}, which is right; for the right reason: {score} (a guess has 0.50).</source>
      <translation>网络想下 {move}，这是正确的；理由正确的程度：{score}（猜测为 0.50）。</translation>
    </message>
    <message>
      <source>The net wants {move}, which is right, as the search has proved; the tests are not searched: no reason is known.</source>
      <translation>网络想下 {move}，这是正确的，搜索已证明；检验局面没有搜索过，理由不得而知。</translation>
    </message>
    <message>
      <source>No stone can be changed here so that the rules still lead to the board.</source>
      <translation>这里没有棋子可以改变而仍能由规则走到。</translation>
    </message>
    <message>
      <source>The net wants {move}; the exact answer is not known here.</source>
      <translation>网络想下 {move}；此处的精确答案未知。</translation>
    </message>
    <message>
      <source>The net wants {move}; there is no win by fours here, so no move is known to be right.</source>
      <translation>网络想下 {move}；这里没有靠冲四取胜的办法，所以不知道哪一手是对的。</translation>
    </message>
    <message>
      <source>The net wants {move}, which begins none of the wins by fours: there is no right reason.</source>
      <translation>网络想下 {move}，它不是任何一种冲四取胜的开始：谈不上正确的理由。</translation>
    </message>
    <message>
      <source>The net wants {move}, which is a mistake: there is no right reason.</source>
      <translation>网络想下 {move}，这是错着：谈不上正确的理由。</translation>
    </message>
    <message>
      <source>The net wants {move}, which is right, and wrong in the {number} of {all} tests with an exact answer.</source>
      <translation>网络想下 {move}，这是对的；在 {all} 次检验中有精确答案的 {number} 次里它都是错的。</translation>
    </message>
    <message>
      <source>The net wants {move}; the search has proved that every move loses.</source>
      <translation>网络想下 {move}；搜索已证明每一着都输。</translation>
    </message>
    <message>
      <source>The net wants {move}, of which nothing is proved; the search has proved that {moves} is best.</source>
      <translation>网络想下 {move}，对它还没有证明；搜索已证明 {moves} 是最好的。</translation>
    </message>
    <message>
      <source>The net wants {move}, which is a mistake, as the search has proved: there is no right reason.</source>
      <translation>网络想下 {move}，这是错着，搜索已证明：没有正确的理由。</translation>
    </message>
    <message>
      <source>the game is over: there is no move to be explained</source>
      <translation>对局已结束：没有可解释的着法</translation>
    </message>
    <message>
      <source>The net wants {move}, which is right; no test has an exact answer.</source>
      <translation>网络想下 {move}，这是对的；没有一次检验有精确答案。</translation>
    </message>
    <message>
      <source>The net wants {move}, which is right, and right in the {number} of {all} tests with an exact answer: no stone is seen to decide it.</source>
      <translation>网络想下 {move}，这是对的；在 {all} 次检验中有精确答案的 {number} 次里它也都是对的：看不出由哪枚棋子决定。</translation>
    </message>
    <message>
      <source>{block} does not end with one convolution that could be taken apart</source>
      <translation>{block}不以一个可以拆开的卷积结尾</translation>
    </message>
    <message>
      <source>the parts add up to {total}, and the net computes {before}: it calculates otherwise than its file says</source>
      <translation>各部分之和为 {total}，而网络算出 {before}：它的计算与文件所写不同</translation>
    </message>
    <message>
      <source>the GPU's memory is full</source>
      <translation>GPU 显存已满</translation>
    </message>
    <message>
      <source>CUDA's libraries are not all there: {named}</source>
      <translation>CUDA 库不齐全：{named}</translation>
    </message>
    <message>
      <source>this onnxruntime is built without CUDA</source>
      <translation>此 onnxruntime 不含 CUDA</translation>
    </message>
    <message>
      <source>no NVIDIA driver found ({library} does not load)</source>
      <translation>未找到 NVIDIA 驱动（无法加载 {library}）</translation>
    </message>
    <message>
      <source>the GPU failed ({failure}); {net} goes on on the processor</source>
      <translation>GPU 出错（{failure}）；{net} 在处理器上继续</translation>
    </message>
    <message>
      <source>runtime is {runtime!r}; on CUDA it must be auto or onnxruntime</source>
      <translation>runtime 为 {runtime!r}；在 CUDA 上须为 auto 或 onnxruntime</translation>
    </message>
    <message>
      <source>runtime is {runtime!r}, which does not run on the processor</source>
      <translation>runtime 为 {runtime!r}，它不在处理器上运行</translation>
    </message>
    <message>
      <source>threads is {threads!r}; it must be a whole number from 1</source>
      <translation>threads 为 {threads!r}；必须是不小于 1 的整数</translation>
    </message>
    <message>
      <source>planes are {kind} {shape}; {net} takes float32 (batch, *{input_shape})</source>
      <translation>平面为 {kind} {shape}；{net} 需要 float32 (batch, *{input_shape})</translation>
    </message>
    <message>
      <source>features are {shape}; {net} takes {needed}</source>
      <translation>全局特征为 {shape}；{net} 需要 {needed}</translation>
    </message>
    <message>
      <source>the net does not run on the GPU: {failure}</source>
      <translation>网络无法在 GPU 上运行：{failure}</translation>
    </message>
    <message>
      <source>{net} cannot run on CUDA: {reason}</source>
      <translation>{net} 无法在 CUDA 上运行：{reason}</translation>
    </message>
    <message>
      <source>{net} cannot run in {runtime}: {reason}</source>
      <translation>{net} 无法由 {runtime} 运行：{reason}</translation>
    </message>
    <message>
      <source>{net} failed in {runtime}: {reason}</source>
      <translation>{net} 由 {runtime} 运行时失败：{reason}</translation>
    </message>
    <message>
      <source>{runtime} is not used: {reason}</source>
      <translation>未使用 {runtime}：{reason}</translation>
    </message>
    <message>
      <source>{net} cannot be used: {error}</source>
      <translation>{net} 无法使用：{error}</translation>
    </message>
    <message>
      <source>{problem}: it evaluates at most {batch} positions at once</source>
      <translation>{problem}：一次最多求值 {batch} 个局面</translation>
    </message>
    <message>
      <source>its libraries are missing or of another version</source>
      <translation>其库缺失或版本不符</translation>
    </message>
    <message>
      <source>onnxruntime did not start its CUDA part; {missing}</source>
      <translation>onnxruntime 未启动其 CUDA 部分；{missing}</translation>
    </message>
    <message>
      <source>preparing {net} for the GPU: batches of {batch}</source>
      <translation>正在为 GPU 准备 {net}：批量 {batch}</translation>
    </message>
    <message>
      <source>{name} imitates no players by rank or year, so it takes no profile</source>
      <translation>{name} 不按级段或年份模仿棋手，所以不能指定棋手</translation>
    </message>
    <message>
      <source>{name} is a net for {game}; the game here is {current!r}</source>
      <translation>{name} 是用于 {game} 的网络；此处的棋类为 {current!r}</translation>
    </message>
    <message>
      <source>profile is {profile}; it must be rank_ or preaz_ with a rank from 20k to 9d (rank_5k), or with black's and white's (rank_5k_1d), or proyear_ with a year from {first} to {last}</source>
      <translation>棋手是 {profile}；必须是 rank_ 或 preaz_ 加 20k 到 9d 的级段（rank_5k），或加黑方和白方的级段（rank_5k_1d），或 proyear_ 加 {first} 到 {last} 的年份</translation>
    </message>
    <message>
      <source>{file} has net format {format}; this version of the program reads format {readable!r} alone</source>
      <translation>{file} 的网络格式为 {format}；本程序的此版本只读取格式 {readable!r}</translation>
    </message>
    <message>
      <source>{name} is not a Plyscope net: it does not say its game or what its planes are; give a recipe by plyscope import {name} --recipe FILE --out x.onnx, or lay it beside the net as {beside}</source>
      <translation>{name} 不是 Plyscope 的网络：它没有说明用于哪种棋，也没有说明各平面的含义；请用 plyscope import {name} --recipe FILE --out x.onnx 给出配方，或把配方放在网络旁边，命名为 {beside}</translation>
    </message>
    <message>
      <source>{name} takes planes encoded as {encoding}; this program encodes them as {usual}</source>
      <translation>{name} 的输入平面编码为 {encoding}；本程序的编码为 {usual}</translation>
    </message>
    <message>
      <source>{path!r} is no net file of KataGo or Leela Zero</source>
      <translation>{path!r} 不是 KataGo 或 Leela Zero 的网络文件</translation>
    </message>
    <message>
      <source>{path!r} is damaged or not a net: {error}</source>
      <translation>{path!r} 已损坏或不是网络文件：{error}</translation>
    </message>
    <message>
      <source>only nets of Plyscope in float32 can be converted to 8 bits</source>
      <translation>只有 float32 的 Plyscope 网络能转换为 8 位</translation>
    </message>
    <message>
      <source>{path!r} cannot be loaded: {error}</source>
      <translation>{path!r} 无法载入：{error}</translation>
    </message>
    <message>
      <source>the package openvino cannot be loaded: {error}</source>
      <translation>无法加载 openvino 包：{error}</translation>
    </message>
    <message>
      <source>OpenVINO cannot read the net: {error}</source>
      <translation>OpenVINO 无法读取此网络：{error}</translation>
    </message>
    <message>
      <source>{path!r} does not exist; give the path of a net file</source>
      <translation>{path!r} 不存在；请给出网络文件的路径</translation>
    </message>
    <message>
      <source>{path!r} is not a file; give the path of a net file</source>
      <translation>{path!r} 不是文件；请给出网络文件的路径</translation>
    </message>
    <message>
      <source>{path!r} is not an ONNX file, or is damaged</source>
      <translation>{path!r} 不是 ONNX 文件，或已损坏</translation>
    </message>
    <message>
      <source>in {precision} the best move stays as good in {good:.1%} of {positions} positions and the value moves by {moved:.4f} on average; at least {least:.0%} and at most {most:g} are needed, so nothing was written</source>
      <translation>以 {precision} 计算时，{positions} 个局面中最佳着法同样好的占 {good:.1%}，价值平均改变 {moved:.4f}；要求至少 {least:.0%}、至多 {most:g}，因此未写入文件</translation>
    </message>
    <message>
      <source>in this precision the net's answers are not numbers, so nothing was written</source>
      <translation>以此精度计算时网络的输出不是有效数值，因此未写入文件</translation>
    </message>
    <message>
      <source>{path!r} is no recipe for a net: {error}</source>
      <translation>{path!r} 不是网络的配方：{error}</translation>
    </message>
    <message>
      <source>{file} has damaged metadata: its recipe: {error}</source>
      <translation>{file} 的元数据已损坏：其配方：{error}</translation>
    </message>
    <message>
      <source>it finds {wins} of {positions} wins in one move, with a value above 0 in {glad}; {legal:.0%} of its policy lies on legal moves, and {alike:.0%} stays under the board's symmetries</source>
      <translation>它找到 {positions} 个一步取胜中的 {wins} 个，其中价值大于 0 的有 {glad} 个；策略有 {legal:.0%} 落在合法着法上，在棋盘的对称下有 {alike:.0%} 不变</translation>
    </message>
    <message>
      <source>{legal:.0%} of its policy lies on legal moves</source>
      <translation>其策略有 {legal:.0%} 落在合法着法上</translation>
    </message>
    <message>
      <source>{name} is not a Plyscope net, and its planes cannot be guessed: {reason}; write a recipe and give it by plyscope import {name} --recipe FILE --out x.onnx, or lay it beside the net as {beside}</source>
      <translation>{name} 不是 Plyscope 网络，其输入平面也无法猜出：{reason}；请写一份配方，用 plyscope import {name} --recipe FILE --out x.onnx 给出，或以 {beside} 为名放在网络旁边</translation>
    </message>
    <message>
      <source>{name} takes the inputs of KataGo's nets, which no recipe can describe; open the net's original file, which ends in .bin.gz</source>
      <translation>{name} 的输入是 KataGo 网络的输入，配方无法描述；请打开该网络的原始文件，以 .bin.gz 结尾</translation>
    </message>
    <message>
      <source>{path!r} is larger than {most} MiB</source>
      <translation>{path!r} 超过 {most} MiB</translation>
    </message>
    <message>
      <source>its answers differ: the best move stays as good in {good:.1%} of {positions} positions, the policy diverges by {kl:.4f} nats and the value moves by {moved:.4f} on average</source>
      <translation>其结果不同：{positions} 个局面中最佳着法同样好的占 {good:.1%}，策略平均相差 {kl:.4f} 奈特，价值平均改变 {moved:.4f}</translation>
    </message>
    <message>
      <source>its answers are not numbers</source>
      <translation>其结果不是数</translation>
    </message>
    <message>
      <source>{runtime} is not used: {ratio:.2f} times as fast here</source>
      <translation>未使用 {runtime}：在此机器上速度为 {ratio:.2f} 倍</translation>
    </message>
    <message>
      <source>the package openvino is not installed</source>
      <translation>未安装 openvino 包</translation>
    </message>
    <message>
      <source>this processor does not compute with 16 bits (AVX512-BF16 or AMX)</source>
      <translation>此处理器不支持 16 位计算（AVX512-BF16 或 AMX）</translation>
    </message>
    <message>
      <source>it is a part of {system}</source>
      <translation>它是 {system} 的一部分</translation>
    </message>
    <message>
      <source>this onnxruntime is built without it</source>
      <translation>此 onnxruntime 不含它</translation>
    </message>
    <message>
      <source>onnxruntime did not start it</source>
      <translation>onnxruntime 未能启动它</translation>
    </message>
    <message>
      <source>{net} cannot be shown block by block: its blocks give {shapes}, not channels of a board of {height}×{width}</source>
      <translation>{net} 无法逐块显示：它的各块给出 {shapes}，而不是 {height}×{width} 棋盘的通道</translation>
    </message>
    <message>
      <source>{net} cannot be shown block by block: {reason}</source>
      <translation>{net} 无法逐块显示：{reason}</translation>
    </message>
    <message>
      <source>the tensor {name!r} of {net} holds no board</source>
      <translation>{net} 的张量 {name!r} 不是一个棋盘</translation>
    </message>
    <message>
      <source>it has {number} nodes; blocks are looked for in graphs of up to {most}</source>
      <translation>它有 {number} 个节点；只在不超过 {most} 个节点的图中查找块</translation>
    </message>
    <message>
      <source>it has more than {most} residual sums</source>
      <translation>它有超过 {most} 个残差相加</translation>
    </message>
    <message>
      <source>it has no residual blocks, which add something to what they are given</source>
      <translation>它没有残差块（在输入之上再加一些内容的块）</translation>
    </message>
    <message>
      <source>{path!r} is not a Plyscope checkpoint, or is damaged</source>
      <translation>{path!r} 不是 Plyscope 检查点，或已损坏</translation>
    </message>
    <message>
      <source>{path!r} holds a net of another shape: {first}</source>
      <translation>{path!r} 中的网络结构不同：{first}</translation>
    </message>
    <message>
      <source>the net has weights that are not numbers; it cannot be exported</source>
      <translation>网络的权重中有无效数值，无法导出</translation>
    </message>
    <message>
      <source>the exported net differs from torch by {policy:.2g} in the policy and {value:.2g} in the value; {most:g} is allowed</source>
      <translation>导出的网络与 torch 的策略相差 {policy:.2g}，价值相差 {value:.2g}；允许 {most:g}</translation>
    </message>
    <message>
      <source>torch finds no GPU it can use</source>
      <translation>torch 未找到可用的 GPU</translation>
    </message>
    <message>
      <source>the net is computed on the processor: {reason}</source>
      <translation>网络在处理器上计算：{reason}</translation>
    </message>
    <message>
      <source>this torch is built without CUDA</source>
      <translation>此 torch 不含 CUDA</translation>
    </message>
    <message>
      <source>pooled heads need a game whose moves are its cells</source>
      <translation>pooled 输出头要求着法即棋格的棋类</translation>
    </message>
    <message>
      <source>no CUDA graph for batches of {batch}: {error}</source>
      <translation>批量 {batch} 没有 CUDA 图：{error}</translation>
    </message>
    <message>
      <source>initialised from {net} ({game}, step {step}), except {layers}</source>
      <translation>由 {net}（{game}，第 {step} 步）初始化，{layers} 除外</translation>
    </message>
    <message>
      <source>initialised from {net} ({game}, step {step})</source>
      <translation>由 {net}（{game}，第 {step} 步）初始化</translation>
    </message>
    <message>
      <source>{path!r} cannot initialise this run: its tower is not of {blocks} blocks of {channels} channels on {planes} planes</source>
      <translation>{path!r} 无法用于初始化此训练：其主干不是 {planes} 个输入平面上 {channels} 通道的 {blocks} 个残差块</translation>
    </message>
    <message>
      <source>{path!r} is not a net that a run of {game} kept</source>
      <translation>{path!r} 不是 {game} 的训练所保存的网络</translation>
    </message>
    <message>
      <source>{net} does not answer any more: its process has ended</source>
      <translation>{net} 不再回答：它的进程已结束</translation>
    </message>
    <message>
      <source>{path} is not a list of samples ({why})</source>
      <translation>{path} 不是样本列表（{why}）</translation>
    </message>
    <message>
      <source>sample {row} of shard {shard} is not the one that is to be left out</source>
      <translation>数据文件 {shard} 的样本 {row} 不是要排除的那一个</translation>
    </message>
    <message>
      <source>{path} has no opening</source>
      <translation>{path} 中没有开局</translation>
    </message>
    <message>
      <source>{path} is not a text file of openings</source>
      <translation>{path} 不是开局的文本文件</translation>
    </message>
    <message>
      <source>{path} has more than {most} openings</source>
      <translation>{path} 的开局多于 {most} 个</translation>
    </message>
    <message>
      <source>a player's process has ended (exit code {code})</source>
      <translation>一个对弈进程已结束（退出码 {code}）</translation>
    </message>
    <message>
      <source>{path} is not a shard of positions, or is damaged ({why}); delete it to continue</source>
      <translation>{path} 不是局面数据文件，或已损坏（{why}）；删除后可继续</translation>
    </message>
    <message>
      <source>every position that it could learn from is left out; leave out fewer</source>
      <translation>可供学习的局面全部被排除；请少排除一些</translation>
    </message>
    <message>
      <source>played</source>
      <translation>下完</translation>
    </message>
    <message>
      <source>counted at the greatest number of moves</source>
      <translation>达到最多手数时计算胜负</translation>
    </message>
    <message>
      <source>player {player} would have resigned; played on as a check</source>
      <translation>棋手 {player} 本应认输；为核查而继续下完</translation>
    </message>
    <message>
      <source>player {player} below {value:g} for {turns} of {needed} turns</source>
      <translation>棋手 {player} 的价值低于 {value:g} 已 {turns} / {needed} 回合</translation>
    </message>
    <message>
      <source>“plyscope train --help” lists the settings</source>
      <translation>“plyscope train --help” 列出全部设置</translation>
    </message>
    <message>
      <source>{name} is no training setting; {hint}</source>
      <translation>{name} 不是训练设置；{hint}</translation>
    </message>
    <message>
      <source>{more} more are no training settings</source>
      <translation>另有 {more} 个不是训练设置</translation>
    </message>
    <message>
      <source>minutes, iterations and evaluations are all 0; a run needs one of them as its end</source>
      <translation>minutes、iterations 和 evaluations 均为 0；训练需要其中之一作为终点</translation>
    </message>
    <message>
      <source>evaluator is {value!r}, which needs the processor; with device 'cuda' it must be auto, torch, onnxruntime or server</source>
      <translation>evaluator 为 {value!r}，需要处理器；device 为 'cuda' 时必须是 auto、torch、onnxruntime 或 server</translation>
    </message>
    <message>
      <source>evaluator is 'server', which plays on one size of the board; clear sizes</source>
      <translation>evaluator 为 'server'，只在一种大小的棋盘上下棋；请清空 sizes</translation>
    </message>
    <message>
      <source>{name} is no training setting any more; take it out of the settings</source>
      <translation>{name} 已不再是训练设置；请从设置中去掉它</translation>
    </message>
    <message>
      <source>did you mean {near}?</source>
      <translation>是否指 {near}？</translation>
    </message>
    <message>
      <source>it is nested too deep</source>
      <translation>嵌套过深</translation>
    </message>
    <message>
      <source>{path} is not a TOML file of settings: {why:.120}</source>
      <translation>{path} 不是 TOML 设置文件：{why:.120}</translation>
    </message>
    <message>
      <source>{name} is {value}; {why}</source>
      <translation>{name} 为 {value}；{why}</translation>
    </message>
    <message>
      <source>only nets with inputs 'points' and heads 'pooled' take boards of several sizes</source>
      <translation>只有 inputs 为“points”且 heads 为“pooled”的网络才能用于多种大小的棋盘</translation>
    </message>
    <message>
      <source>the moves of {game} are not its cells, so its heads are dense</source>
      <translation>{game} 的着法不是格点，因此输出头须为 dense</translation>
    </message>
    <message>
      <source>{game} has no quick exact solver of endings</source>
      <translation>{game} 没有快速的残局精确求解器</translation>
    </message>
    <message>
      <source>{game} has no lines to make threats with</source>
      <translation>{game} 没有可形成威胁的连线</translation>
    </message>
    <message>
      <source>init is {text!r}; that is not a Plyscope net</source>
      <translation>init 为 {text!r}；它不是 Plyscope 网络</translation>
    </message>
    <message>
      <source>init is {text!r}, a net of {blocks} blocks of {channels} channels; blocks and channels are {blocks_set} and {channels_set} and must be the same</source>
      <translation>init 为 {text!r}，该网络有 {blocks} 个块、{channels} 个通道；blocks 与 channels 为 {blocks_set} 与 {channels_set}，必须相同</translation>
    </message>
    <message>
      <source>{game} has no points, so its nets are for one size alone</source>
      <translation>{game} 不计目，因此它的网络只用于一种大小</translation>
    </message>
    <message>
      <source>it lists {count} boards, and at most {most} are allowed</source>
      <translation>其中列出 {count} 种棋盘，最多允许 {most} 种</translation>
    </message>
    <message>
      <source>it must list the board of {game} as well</source>
      <translation>其中也必须列出 {game} 的棋盘</translation>
    </message>
    <message>
      <source>a game as load_game takes it, such as connect4</source>
      <translation>load_game 所接受的游戏，例如 connect4</translation>
    </message>
    <message>
      <source>{game} is not decided by points</source>
      <translation>{game} 不以目数定胜负</translation>
    </message>
    <message>
      <source>it must be a list as in 7, 9 or in 7 komi 9 share 1, 9 share 3</source>
      <translation>它必须是列表，如 7, 9 或 7 komi 9 share 1, 9 share 3</translation>
    </message>
    <message>
      <source>it lists {rows}×{cols} twice</source>
      <translation>其中 {rows}×{cols} 列出了两次</translation>
    </message>
    <message>
      <source>the komi of {game} is a part of the game</source>
      <translation>{game} 的贴目由棋种本身规定</translation>
    </message>
    <message>
      <source>a share is 0, and a board that is not played must be left out</source>
      <translation>有一个份额为 0；不下的棋盘必须去掉</translation>
    </message>
    <message>
      <source>paused</source>
      <translation>已暂停</translation>
    </message>
    <message>
      <source>{phase}, then it ends</source>
      <translation>{phase}，之后结束</translation>
    </message>
    <message>
      <source>nothing can be written into {folder!r}: {error}</source>
      <translation>无法写入 {folder!r}：{error}</translation>
    </message>
    <message>
      <source>the run's folder {folder!r} is another run's now; the run stopped and can be resumed where its folder is</source>
      <translation>训练文件夹 {folder!r} 现属于另一次训练；训练已停止，可在其文件夹所在处继续</translation>
    </message>
    <message>
      <source>the run's folder {folder!r} was moved or removed; the run stopped and can be resumed where its folder is</source>
      <translation>训练文件夹 {folder!r} 已移动或删除；训练已停止，可在其文件夹所在处继续</translation>
    </message>
    <message>
      <source>{folder!r} is being trained by process {pid} ({phase}); stop that first</source>
      <translation>{folder!r} 正由进程 {pid} 训练（{phase}）；请先停止它</translation>
    </message>
    <message>
      <source>{folder!r} has just been taken by another process</source>
      <translation>{folder!r} 刚被另一个进程占用</translation>
    </message>
    <message>
      <source>“{name}” is training (process {pid}); stop it first</source>
      <translation>“{name}”正在训练（进程 {pid}）；请先停止</translation>
    </message>
    <message>
      <source>No search is a fast one: full_share is 1</source>
      <translation>没有快速搜索：full_share 为 1</translation>
    </message>
    <message>
      <source>No side resigns: resign_below is 0</source>
      <translation>没有一方认输：resign_below 为 0</translation>
    </message>
    <message>
      <source>No match is played: ladder_games and gate are 0</source>
      <translation>不进行对抗：ladder_games 与 gate 为 0</translation>
    </message>
    <message>
      <source>Only the search puct uses it</source>
      <translation>只有 puct 搜索使用它</translation>
    </message>
    <message>
      <source>Only nets with inputs points use it</source>
      <translation>只有 inputs 为 points 的网络使用它</translation>
    </message>
    <message>
      <source>Only nets with pooled heads play on several sizes</source>
      <translation>只有 heads 为 pooled 的网络才在多种大小的棋盘上对弈</translation>
    </message>
    <message>
      <source>{game} has no exams</source>
      <translation>{game} 没有测验</translation>
    </message>
    <message>
      <source>{path} was written in part: the disk is full</source>
      <translation>{path} 只写入了一部分：磁盘已满</translation>
    </message>
    <message>
      <source>TensorBoard is not installed, so nothing is logged for it; “pip install tensorboard” installs it</source>
      <translation>未安装 TensorBoard，因此不为其记录；可用 “pip install tensorboard” 安装</translation>
    </message>
    <message>
      <source>the run learns {own}, and the position is of {game}</source>
      <translation>该训练学的是 {own}，而此局面属于 {game}</translation>
    </message>
    <message>
      <source>{path} has kept no net that learned</source>
      <translation>{path} 没有保存任何学习过的网络</translation>
    </message>
    <message>
      <source>{path} has no samples on disk</source>
      <translation>{path} 在磁盘上没有样本</translation>
    </message>
    <message>
      <source>asking net {number} of {every}</source>
      <translation>正在询问第 {number} 个网络，共 {every} 个</translation>
    </message>
    <message>
      <source>learning anew, {number} of {every}</source>
      <translation>正在重新学习，第 {number} 次，共 {every} 次</translation>
    </message>
    <message>
      <source>compiling</source>
      <translation>正在编译</translation>
    </message>
    <message>
      <source>iteration {iteration}: playing and learning</source>
      <translation>第 {iteration} 轮：对弈与学习</translation>
    </message>
    <message>
      <source>iteration {iteration}: saving</source>
      <translation>第 {iteration} 轮：保存</translation>
    </message>
    <message>
      <source>writing {path}</source>
      <translation>正在写入 {path}</translation>
    </message>
    <message>
      <source>the checkpoint of step {step} is kept in {path!r}</source>
      <translation>第 {step} 步的检查点保留在 {path!r} 中</translation>
    </message>
    <message>
      <source>there is no checkpoint yet</source>
      <translation>尚无检查点</translation>
    </message>
    <message>
      <source>{error}; {kept}: resume with a learning.rate below {rate:g}</source>
      <translation>{error}；{kept}：请用小于 {rate:g} 的 learning.rate 继续</translation>
    </message>
    <message>
      <source>{path!r} is not the checkpoint of a training run</source>
      <translation>{path!r} 不是训练的检查点</translation>
    </message>
    <message>
      <source>{path!r} already holds a run; resume it or give another folder</source>
      <translation>{path!r} 中已有训练；请继续该训练或另选文件夹</translation>
    </message>
    <message>
      <source>the loss is no longer a number at step {step}</source>
      <translation>第 {step} 步的损失已不是有效数值</translation>
    </message>
    <message>
      <source>the gradient is no longer a number at step {step}</source>
      <translation>第 {step} 步的梯度已不是有效数值</translation>
    </message>
    <message>
      <source>loss above its floor, nats</source>
      <translation>损失高于其下限，纳特</translation>
    </message>
    <message>
      <source>new weights, {steps} steps on one batch: at rate {rate:g} its loss falls by {gain:.2f} nats, at {best:g} by {most:.2f}</source>
      <translation>新权重在一个批次上学 {steps} 步：学习率 {rate:g} 时损失下降 {gain:.2f} 纳特，{best:g} 时下降 {most:.2f}</translation>
    </message>
    <message>
      <source>the learning rate {best:g}</source>
      <translation>学习率 {best:g}</translation>
    </message>
    <message>
      <source>after {steps} steps on one batch of {count} samples the loss is still {after:.2f} nats above its floor, from {before:.2f} at first</source>
      <translation>在 {count} 个样本的一个批次上学 {steps} 步后，损失仍高于下限 {after:.2f} 纳特，起初为 {before:.2f}</translation>
    </message>
    <message>
      <source>{steps} steps on one batch bring new weights to {new:.2f} nats above the floor of the loss, the trained ones only to {trained:.2f}</source>
      <translation>在一个批次上学 {steps} 步，新权重的损失降到高于下限 {new:.2f} 纳特，训练过的权重只到 {trained:.2f}</translation>
    </message>
    <message>
      <source>new weights</source>
      <translation>新权重</translation>
    </message>
    <message>
      <source>{net} on {device}, {rate} evaluations/s alone at batch {batch} in one thread ({others})</source>
      <translation>{net}（{device}），单独以批量 {batch} 单线程每秒评估 {rate} 次（{others}）</translation>
    </message>
    <message>
      <source>{net} on {device}, {rate} evaluations/s alone at batch {batch} in one thread</source>
      <translation>{net}（{device}），单独以批量 {batch} 单线程每秒评估 {rate} 次</translation>
    </message>
    <message>
      <source>{net} in bf16</source>
      <translation>bf16 的 {net}</translation>
    </message>
    <message>
      <source>the cluster at {address!r} has no machine for players</source>
      <translation>集群 {address!r} 没有可供自对弈的机器</translation>
    </message>
    <message>
      <source>exams and matches failed on the cluster: {error}</source>
      <translation>集群上的测验和对局失败：{error}</translation>
    </message>
    <message>
      <source>actors: {actors}, machines: {nodes}</source>
      <translation>执行者：{actors}，机器：{nodes}</translation>
    </message>
    <message>
      <source>{machine} has left the cluster; machines that play on: {count}</source>
      <translation>{machine} 已离开集群；继续对局的机器：{count}</translation>
    </message>
    <message>
      <source>{reason}: it does not play</source>
      <translation>{reason}：它不参与对弈</translation>
    </message>
    <message>
      <source>the player on {host} failed: {error}</source>
      <translation>{host} 上的自对弈失败：{error}</translation>
    </message>
    <message>
      <source>{machine} has joined the cluster</source>
      <translation>{machine} 已加入集群</translation>
    </message>
    <message>
      <source>no games have come yet: each machine first compiles the search of this game, once</source>
      <translation>还没有收到对局：每台机器先要编译此棋的搜索，只需一次</translation>
    </message>
    <message>
      <source>nothing more can be written into {folder!r} ({reason}); the run stopped, what it saved is whole</source>
      <translation>无法再写入 {folder!r}（{reason}）；训练已停止，已保存的内容完整</translation>
    </message>
    <message>
      <source>measuring</source>
      <translation>正在测量</translation>
    </message>
    <message>
      <source>{problem}; what was saved is whole: resume with fewer games or a smaller batch_size</source>
      <translation>{problem}；已保存的内容完整：请以较少的 games 或较小的 batch_size 继续训练</translation>
    </message>
    <message>
      <source>a server on {device} for all players ({count}), {rate} evaluations/s alone at batch {batch}</source>
      <translation>{device} 上供所有对弈进程（{count} 个）使用的服务器，单独以批量 {batch} 每秒求值 {rate} 次</translation>
    </message>
    <message>
      <source>step {step} by the server ({precision})</source>
      <translation>第 {step} 步的网络，由服务器求值（{precision}）</translation>
    </message>
    <message>
      <source>Tic-tac-toe</source>
      <translation>井字棋</translation>
    </message>
    <message>
      <source>Gomoku</source>
      <translation>五子棋</translation>
    </message>
    <message>
      <source>Othello</source>
      <translation>黑白棋</translation>
    </message>
    <message>
      <source>Go</source>
      <translation>围棋</translation>
    </message>
    <message>
      <source>Nim</source>
      <translation>尼姆游戏</translation>
    </message>
    <message>
      <source>OpenSpiel</source>
      <translation>OpenSpiel</translation>
    </message>
    <message>
      <source>board</source>
      <translation>棋盘范围</translation>
    </message>
    <message>
      <source>opponent's stones</source>
      <translation>对方棋子</translation>
    </message>
    <message>
      <source>1 liberty</source>
      <translation>1 口气</translation>
    </message>
    <message>
      <source>2 liberties</source>
      <translation>2 口气</translation>
    </message>
    <message>
      <source>3 liberties</source>
      <translation>3 口气</translation>
    </message>
    <message>
      <source>forbidden by ko</source>
      <translation>劫禁着点</translation>
    </message>
    <message>
      <source>ko, encore</source>
      <translation>劫（续局阶段）</translation>
    </message>
    <message>
      <source>ko retaken, encore</source>
      <translation>劫已提回（续局阶段）</translation>
    </message>
    <message>
      <source>move before</source>
      <translation>倒数第 2 手</translation>
    </message>
    <message>
      <source>3rd last move</source>
      <translation>倒数第 3 手</translation>
    </message>
    <message>
      <source>4th last move</source>
      <translation>倒数第 4 手</translation>
    </message>
    <message>
      <source>5th last move</source>
      <translation>倒数第 5 手</translation>
    </message>
    <message>
      <source>caught in a ladder</source>
      <translation>征子被吃</translation>
    </message>
    <message>
      <source>ladder, 1 move ago</source>
      <translation>征子，1 手前</translation>
    </message>
    <message>
      <source>ladder, 2 moves ago</source>
      <translation>征子，2 手前</translation>
    </message>
    <message>
      <source>moves that catch</source>
      <translation>征吃着点</translation>
    </message>
    <message>
      <source>own area</source>
      <translation>己方区域</translation>
    </message>
    <message>
      <source>opponent's area</source>
      <translation>对方区域</translation>
    </message>
    <message>
      <source>own stones, encore</source>
      <translation>己方棋子（续局阶段）</translation>
    </message>
    <message>
      <source>opponent's stones, encore</source>
      <translation>对方棋子（续局阶段）</translation>
    </message>
    <message>
      <source>last move a pass</source>
      <translation>上一手是停着</translation>
    </message>
    <message>
      <source>move before a pass</source>
      <translation>倒数第 2 手是停着</translation>
    </message>
    <message>
      <source>3rd last a pass</source>
      <translation>倒数第 3 手是停着</translation>
    </message>
    <message>
      <source>4th last a pass</source>
      <translation>倒数第 4 手是停着</translation>
    </message>
    <message>
      <source>5th last a pass</source>
      <translation>倒数第 5 手是停着</translation>
    </message>
    <message>
      <source>komi / 20</source>
      <translation>贴目 / 20</translation>
    </message>
    <message>
      <source>superko</source>
      <translation>禁全同</translation>
    </message>
    <message>
      <source>positional or situational</source>
      <translation>局面同形或情形同形</translation>
    </message>
    <message>
      <source>suicide</source>
      <translation>允许自杀</translation>
    </message>
    <message>
      <source>territory scoring</source>
      <translation>数目法</translation>
    </message>
    <message>
      <source>tax in seki</source>
      <translation>双活还目</translation>
    </message>
    <message>
      <source>tax on groups</source>
      <translation>还棋头</translation>
    </message>
    <message>
      <source>encore</source>
      <translation>续局阶段</translation>
    </message>
    <message>
      <source>second encore</source>
      <translation>第二续局阶段</translation>
    </message>
    <message>
      <source>a pass ends the game</source>
      <translation>停着即终局</translation>
    </message>
    <message>
      <source>uneven game</source>
      <translation>让步对局</translation>
    </message>
    <message>
      <source>playout doublings / 2</source>
      <translation>模拟次数翻倍数 / 2</translation>
    </message>
    <message>
      <source>komi and parity</source>
      <translation>贴目与奇偶</translation>
    </message>
    <message>
      <source>own, 1 move ago</source>
      <translation>己方，1 手前</translation>
    </message>
    <message>
      <source>own, 2 moves ago</source>
      <translation>己方，2 手前</translation>
    </message>
    <message>
      <source>own, 3 moves ago</source>
      <translation>己方，3 手前</translation>
    </message>
    <message>
      <source>own, 4 moves ago</source>
      <translation>己方，4 手前</translation>
    </message>
    <message>
      <source>own, 5 moves ago</source>
      <translation>己方，5 手前</translation>
    </message>
    <message>
      <source>own, 6 moves ago</source>
      <translation>己方，6 手前</translation>
    </message>
    <message>
      <source>own, 7 moves ago</source>
      <translation>己方，7 手前</translation>
    </message>
    <message>
      <source>opponent's, 1 move ago</source>
      <translation>对方，1 手前</translation>
    </message>
    <message>
      <source>opponent's, 2 moves ago</source>
      <translation>对方，2 手前</translation>
    </message>
    <message>
      <source>opponent's, 3 moves ago</source>
      <translation>对方，3 手前</translation>
    </message>
    <message>
      <source>opponent's, 4 moves ago</source>
      <translation>对方，4 手前</translation>
    </message>
    <message>
      <source>opponent's, 5 moves ago</source>
      <translation>对方，5 手前</translation>
    </message>
    <message>
      <source>opponent's, 6 moves ago</source>
      <translation>对方，6 手前</translation>
    </message>
    <message>
      <source>opponent's, 7 moves ago</source>
      <translation>对方，7 手前</translation>
    </message>
    <message>
      <source>black to move</source>
      <translation>轮到黑方</translation>
    </message>
    <message>
      <source>white to move</source>
      <translation>轮到白方</translation>
    </message>
    <message>
      <source>own territory</source>
      <translation>己方地域</translation>
    </message>
    <message>
      <source>opponent's territory</source>
      <translation>对方地域</translation>
    </message>
    <message>
      <source>lead now</source>
      <translation>当前领先</translation>
    </message>
    <message>
      <source>winner now</source>
      <translation>当前胜方</translation>
    </message>
    <message>
      <source>How the next move to explore is chosen: PUCT weighs a prior (AlphaGo Zero, 2017); UCB1 weighs only the visits (UCT, 2006); tuned UCB1 also the spread of the values; flat plays equally many games of each move; Gumbel halves the field (2022).</source>
      <translation>如何选择下一个要探索的着法：PUCT 权衡先验概率（AlphaGo Zero，2017）；UCB1 只看访问次数（UCT，2006）；UCB1 调整版还看价值的离散度；平面搜索给每个着法同样多的对局；Gumbel 逐轮减半（2022）。</translation>
    </message>
    <message>
      <source>Weight of the exploration term. AlphaZero: 1.25.</source>
      <translation>探索项的权重。AlphaZero：1.25。</translation>
    </message>
    <message>
      <source>Lets c grow with the visits. AlphaZero: 19 652; KataGo: 500; 0 keeps c constant.</source>
      <translation>使 c 随访问次数增长。AlphaZero：19 652；KataGo：500；0 表示 c 不变。</translation>
    </message>
    <message>
      <source>How much c grows: c = c_puct + c_log · ln((1 + ΣN + c_base) / c_base). AlphaZero: 1; KataGo: 0.45.</source>
      <translation>c 增长的幅度：c = c_puct + c_log · ln((1 + ΣN + c_base) / c_base)。AlphaZero：1；KataGo：0.45。</translation>
    </message>
    <message>
      <source>How far c follows the spread of a position's values: less exploration where they agree. KataGo: 0.85; 0 not at all.</source>
      <translation>c 随局面价值离散程度变化的占比：价值一致处探索较少。KataGo：0.85；0 表示不变。</translation>
    </message>
    <message>
      <source>Weight of the exploration term, on values from 0 to 1. UCB1: √2.</source>
      <translation>探索项的权重，价值按 0 到 1 计。UCB1：√2。</translation>
    </message>
    <message>
      <source>How the constant of UCB1 is written: c before the root, C inside it (C = c²), UCTK (c = √2 · UCTK).</source>
      <translation>UCB1 常数的写法：c 在根号前，C 在根号内（C = c²），UCTK（c = √2 · UCTK）。</translation>
    </message>
    <message>
      <source>The Q assumed for a move without visits: the parent's value minus a reduction, a loss, or 0.</source>
      <translation>未访问着法所假定的 Q：父节点价值减去一个减量、负，或 0。</translation>
    </message>
    <message>
      <source>value</source>
      <translation>以价值计</translation>
    </message>
    <message>
      <source>Times the square root of the prior mass tried so far.</source>
      <translation>乘以已试着法先验概率之和的平方根。</translation>
    </message>
    <message>
      <source>The Q assumed for a move of the root without visits; same: as everywhere.</source>
      <translation>根节点未访问着法所假定的 Q；same：与其他节点相同。</translation>
    </message>
    <message>
      <source>The same factor at the root, where it has a rule of its own.</source>
      <translation>根节点的同一系数，在其有自己的规则时使用。</translation>
    </message>
    <message>
      <source>Adds S = score_utility · 2/π · atan(lead / (2 √points of the board)) to Q in PUCT, where the net gives a score lead; Q itself stays the value. KataGo: 0.1.</source>
      <translation>网络给出领先目数时，PUCT 在 Q 上加 S = score_utility · 2/π · atan(领先 / (2 √棋盘点数))；Q 本身仍为价值。KataGo：0.1。</translation>
    </message>
    <message>
      <source>moves</source>
      <translation>个着法</translation>
    </message>
    <message>
      <source>Moves that enter Gumbel's sequential halving.</source>
      <translation>进入 Gumbel 逐轮减半的着法数。</translation>
    </message>
    <message>
      <source>sims</source>
      <translation>模拟</translation>
    </message>
    <message>
      <source>Simulations over which sequential halving is planned.</source>
      <translation>减半过程所分摊的模拟次数。</translation>
    </message>
    <message>
      <source>c_visit in Gumbel's σ(Q) = (c_visit + max N) · c_scale · Q. Paper: 50.</source>
      <translation>Gumbel 的 σ(Q) = (c_visit + max N) · c_scale · Q 中的参数。论文：50。</translation>
    </message>
    <message>
      <source>c_scale in the same formula, for values from 0 to 1. Paper: 1.</source>
      <translation>同上，价值按 0 到 1 计。论文：1。</translation>
    </message>
    <message>
      <source>Flat Monte Carlo stops after so many games per move; 0 leaves the end to the limit.</source>
      <translation>达到后平面搜索结束；0 表示由上限决定。</translation>
    </message>
    <message>
      <source>Try every move once before any is tried again.</source>
      <translation>任一着法再试之前，先将每个着法各试一次。</translation>
    </message>
    <message>
      <source>Visits a position needs before its moves enter the tree, with rollouts.</source>
      <translation>使用随机走子时，局面被访问多少次后其着法才进入树。</translation>
    </message>
    <message>
      <source>How rollouts choose moves: uniformly at random, or tactically, taking an immediate win and blocking the opponent's.</source>
      <translation>随机对局如何选着：均匀随机，或按战术：能立即取胜则取胜，并阻止对手的立即取胜。</translation>
    </message>
    <message>
      <source>Search one of the moves that a symmetry of the board carries into one another.</source>
      <translation>棋盘对称可互相变换的着法只搜索其一。</translation>
    </message>
    <message>
      <source>Ask the net about the root under every symmetry of the board, and take the mean of policy, value and lead.</source>
      <translation>在棋盘的每种对称下询问网络对根节点的评估，取策略、价值与领先的均值。</translation>
    </message>
    <message>
      <source>Flattens the root's priors: P becomes P^(1 / temperature), with sum 1. 1 leaves them as they are.</source>
      <translation>使根节点先验概率趋平：P 变为 P^(1 / 温度)，总和为 1。1 表示不变。</translation>
    </message>
    <message>
      <source>By most visits, highest mean, or highest lower bound of the mean; auto is the mean with flat Monte Carlo, else the visits.</source>
      <translation>按访问最多、均值最高或均值下界最高；auto 在平面搜索下取均值，否则取访问次数。</translation>
    </message>
    <message>
      <source>How far below its mean a move's lower bound lies. KataGo: 5.</source>
      <translation>着法的下界低于其均值多少。KataGo：5。</translation>
    </message>
    <message>
      <source>Share of the most visits that a move needs to be chosen by its lower bound. KataGo: 0.15.</source>
      <translation>按下界选择时，着法所需的访问次数占最多者的比例。KataGo：0.15。</translation>
    </message>
    <message>
      <source>Share of random noise in the root's priors. 0: none, usual for analysis; AlphaZero's self-play: 0.25.</source>
      <translation>根节点先验概率中随机噪声的占比。0：无，适合分析；AlphaZero 自我对弈：0.25。</translation>
    </message>
    <message>
      <source>Concentration of the Dirichlet noise; small values make it spiky. 0 means 10 / legal moves.</source>
      <translation>狄利克雷噪声的参数；越小越尖锐。0 即 10 / 合法着法数。</translation>
    </message>
    <message>
      <source>How freely the engine's move is drawn from the visits; 0 plays the best.</source>
      <translation>引擎从访问次数中抽取着法的随机程度；0 走最佳着法。</translation>
    </message>
    <message>
      <source>leaves</source>
      <translation>叶节点</translation>
    </message>
    <message>
      <source>Most leaves valued at once; it grows with the tree up to this. 0 suits the device: 8, on a GPU 256.</source>
      <translation>一次最多求值的叶节点数；随树增长到此数。0 由设备决定：8，在 GPU 上 256。</translation>
    </message>
    <message>
      <source>batches</source>
      <translation>批</translation>
    </message>
    <message>
      <source>Batches in flight at once: with 2 the next is collected while the net works on one. 0 suits the device: 1, on a GPU 2.</source>
      <translation>同时在途的批次数：为 2 时，网络处理一批的同时收集下一批。0 由设备决定：1，在 GPU 上 2。</translation>
    </message>
    <message>
      <source>Processor threads that search the tree together by rollouts; 0 uses all. With more than one, two searches of the same seed differ.</source>
      <translation>用随机对局共同搜索同一棵树的处理器线程数，0 为全部。多于一个时，同一种子的两次搜索会不同。</translation>
    </message>
    <message>
      <source>Processor threads that collect the leaves of a batch for a net. More than one keeps a fast GPU busy; two searches of the same seed then differ.</source>
      <translation>为网络收集一批叶节点的处理器线程数。多于一个可使快的 GPU 保持忙碌，此时同一种子的两次搜索会不同。</translation>
    </message>
    <message>
      <source>Back up won, lost and drawn ends exactly, and stop when the position is solved.</source>
      <translation>精确回传胜、负、和的终局，局面解出后停止。</translation>
    </message>
    <message>
      <source>In k-in-a-row games and Connect Four, prove positions that fours or an open four decide; with a net, in Connect Four also those that an exact search of a tenth of a millisecond decides.</source>
      <translation>在连珠类游戏和四子棋中，证明由四或活四决定的局面；使用网络时，四子棋还证明那些用十分之一毫秒精确搜索就能判定的局面。</translation>
    </message>
    <message>
      <source>In k-in-a-row games, raise the prior of moves that make or deny threats.</source>
      <translation>在 k 子连线类棋中，提高造成或化解威胁的着法的先验概率。</translation>
    </message>
    <message>
      <source>cells</source>
      <translation>格</translation>
    </message>
    <message>
      <source>In Othello and Connect Four, solve a position with so few empty cells exactly instead of searching it; discs decide between Othello's moves. Quick up to 12 in Othello (16 at most), 24 in Connect Four; 0: off.</source>
      <translation>在黑白棋和四子棋中，空格不多于此数的局面不再搜索，而是精确求解；黑白棋各着法按子数比较。黑白棋不超过 12（至多 16）、四子棋不超过 24 时很快；0：关闭。</translation>
    </message>
    <message>
      <source>Budget of the tree; when it is full the search stops and says so.</source>
      <translation>树的内存预算；用尽时搜索停止并告知。</translation>
    </message>
    <message>
      <source>Game &amp; net</source>
      <translation>棋类与网络</translation>
    </message>
    <message>
      <source>Self-play</source>
      <translation>自我对弈</translation>
    </message>
    <message>
      <source>Learning</source>
      <translation>学习</translation>
    </message>
    <message>
      <source>Measuring</source>
      <translation>测量</translation>
    </message>
    <message>
      <source>the game to learn, as “plyscope games” lists it, with its parameters in brackets</source>
      <translation>要学习的棋类，写法同 “plyscope games”，参数写在括号中</translation>
    </message>
    <message>
      <source>Blocks</source>
      <translation>残差块数</translation>
    </message>
    <message>
      <source>blocks</source>
      <translation>块</translation>
    </message>
    <message>
      <source>residual blocks of the net (AlphaGo Zero: 19 or 39)</source>
      <translation>网络的残差块数（AlphaGo Zero：19 或 39）</translation>
    </message>
    <message>
      <source>Channels</source>
      <translation>通道数</translation>
    </message>
    <message>
      <source>channels</source>
      <translation>通道</translation>
    </message>
    <message>
      <source>width of the net's convolutions (AlphaGo Zero: 256)</source>
      <translation>网络卷积的宽度（AlphaGo Zero：256）</translation>
    </message>
    <message>
      <source>Heads</source>
      <translation>输出头</translation>
    </message>
    <message>
      <source>dense layers over the board (AlphaGo Zero) or convolutions and pooling, alike in every place (KataGo); pooled needs a game whose moves are its cells</source>
      <translation>覆盖全盘的全连接层（AlphaGo Zero），或各处相同的卷积与池化（KataGo）；pooled 要求着法即棋格</translation>
    </message>
    <message>
      <source>Inputs</source>
      <translation>输入内容</translation>
    </message>
    <message>
      <source>what the net is shown: the board, or in Go also liberties, ko, territory and komi (points), from which it learns the score and the owner of each point as well</source>
      <translation>网络看到什么：棋盘（board），或在围棋中还有气、劫、地域与贴目（points），并由此同时学习终局目差与各点归属</translation>
    </message>
    <message>
      <source>Initial net</source>
      <translation>初始网络</translation>
    </message>
    <message>
      <source>a net file whose weights a new run begins with, those that fit; empty begins with random ones</source>
      <translation>新训练以其权重开始的网络文件，取相符者；留空则随机初始化</translation>
    </message>
    <message>
      <source>games</source>
      <translation>局</translation>
    </message>
    <message>
      <source>played side by side, one search each; their leaves share the net's batches</source>
      <translation>同时进行，各有一个搜索；其叶节点共用网络的批次</translation>
    </message>
    <message>
      <source>Samples per iteration</source>
      <translation>每轮样本数</translation>
    </message>
    <message>
      <source>with a policy target made in each iteration</source>
      <translation>每次学习之前产生的、带策略目标的局面</translation>
    </message>
    <message>
      <source>how the root explores: puct with noise (AlphaZero) or gumbel, sequential halving (Danihelka et al. 2022)</source>
      <translation>根节点如何探索：带噪声的 puct（AlphaZero），或 gumbel 逐轮减半（Danihelka 等，2022）</translation>
    </message>
    <message>
      <source>of a full search, with noise and as a policy target (KataGo: 600)</source>
      <translation>用于完整搜索，含噪声并作为策略目标（KataGo：600）</translation>
    </message>
    <message>
      <source>Fast simulations</source>
      <translation>快速搜索模拟数</translation>
    </message>
    <message>
      <source>of a fast search, without noise and not learned from (KataGo: 100)</source>
      <translation>用于快速搜索，无噪声且不用于学习（KataGo：100）</translation>
    </message>
    <message>
      <source>Full share</source>
      <translation>完整搜索占比</translation>
    </message>
    <message>
      <source>share</source>
      <translation>比例</translation>
    </message>
    <message>
      <source>of the moves that get a full search: playout cap randomisation (KataGo, section 3.1: 0.25); 1 searches all</source>
      <translation>得到完整搜索的着法比例：模拟上限随机化（KataGo，第 3.1 节：0.25）；1 为全部</translation>
    </message>
    <message>
      <source>weight of puct's exploration term (AlphaZero: 1.25)</source>
      <translation>puct 探索项的权重（AlphaZero：1.25）</translation>
    </message>
    <message>
      <source>of Dirichlet noise in the root's priors (AlphaZero: 0.25)</source>
      <translation>根节点先验概率中狄利克雷噪声的占比（AlphaZero：0.25）</translation>
    </message>
    <message>
      <source>Temperature plies</source>
      <translation>温度手数</translation>
    </message>
    <message>
      <source>sampled in proportion to the visits (AlphaGo Zero: 30); later moves are mostly the most visited</source>
      <translation>按访问次数的比例抽取着法的手数（AlphaGo Zero：30）；之后大多走访问最多的着法</translation>
    </message>
    <message>
      <source>Opening plies</source>
      <translation>随机开局手数</translation>
    </message>
    <message>
      <source>of random moves at the start of half of the games, at most</source>
      <translation>一半的对局开头随机着法的最多手数</translation>
    </message>
    <message>
      <source>Openings</source>
      <translation>开局文件</translation>
    </message>
    <message>
      <source>a file of positions, a line of moves each, from which a share of the games starts, such as the mistakes that “plyscope audit” finds; empty is none</source>
      <translation>局面文件，每行为一局面的着法，一部分对局由此开始，例如 “plyscope audit” 找到的失误；留空则无</translation>
    </message>
    <message>
      <source>Board sizes</source>
      <translation>棋盘大小</translation>
    </message>
    <message>
      <source>boards on which it plays, as in 7, 9 or in 7 komi 9 share 1, 9 share 3: komi is the game's unless given, shares of the positions are equal unless given; empty plays on the game's own alone; with inputs points and pooled heads</source>
      <translation>自我对弈所用的棋盘，如 7, 9 或 7 komi 9 share 1, 9 share 3：未给出时贴目与棋种相同，局面份额相等；留空则只用棋种自己的棋盘；需 inputs 为 points 且 heads 为 pooled</translation>
    </message>
    <message>
      <source>Resign below</source>
      <translation>认输界限</translation>
    </message>
    <message>
      <source>a side resigns when its searched value is below minus this (AlphaGo Zero kept false resignations under 5 %); 0 never resigns, 0.95 is usual</source>
      <translation>一方的搜索价值低于其负值时认输（AlphaGo Zero 将误认输控制在 5 % 以下）；0 从不认输，常用 0.95</translation>
    </message>
    <message>
      <source>Resign check share</source>
      <translation>认输核查占比</translation>
    </message>
    <message>
      <source>of the games played to the end to count resignations that would have been wrong (AlphaGo Zero: 0.1)</source>
      <translation>下至终局以统计误认输的对局比例（AlphaGo Zero：0.1）</translation>
    </message>
    <message>
      <source>Komi spread</source>
      <translation>贴目浮动</translation>
    </message>
    <message>
      <source>points</source>
      <translation>目</translation>
    </message>
    <message>
      <source>by which the komi of each game differs at most from that of the game, in halves; with inputs points</source>
      <translation>每局的贴目与该棋类贴目的最大差，以半目为单位；用于输入 points</translation>
    </message>
    <message>
      <source>Threat proofs</source>
      <translation>威胁证明</translation>
    </message>
    <message>
      <source>positions decided by fours or an open four are proved at once; for k in a row and Connect Four only</source>
      <translation>由冲四或活四决定的局面立即得到证明；仅用于 k 子连线类棋和四子棋</translation>
    </message>
    <message>
      <source>empty at most, from where the exact solver plays a game to its end and gives value and best moves to learn, so that the net learns endings from truth; in Othello and Connect Four; 0 searches to the end</source>
      <translation>空格至多如此时起，由精确求解器把对局下完，并给出价值和最佳着法供学习，使网络从真值学习残局；用于黑白棋和四子棋；0 表示一直搜索到终局</translation>
    </message>
    <message>
      <source>Evaluator</source>
      <translation>评估器</translation>
    </message>
    <message>
      <source>runtime of the net in self-play; auto measures at the start and takes the fastest of torch, onnxruntime and OpenVINO; server plays in processes of their own and evaluates all their positions in common batches, for a GPU; int8 is onnxruntime with the net in 8 bits, about three times as fast on processors with VNNI and slightly less accurate; openvino and openvino-bf16 (in 16 bits) need the package openvino</source>
      <translation>自我对弈中网络的运行时；auto 在开始时测量，取 torch、onnxruntime 和 OpenVINO 中最快的；server 在各自的进程里下棋，把所有局面合成共同的批次求值，适合 GPU；int8 是 8 位网络的 onnxruntime，在有 VNNI 的处理器上约快到三倍，精度略低；openvino 和 openvino-bf16（16 位）需要软件包 openvino</translation>
    </message>
    <message>
      <source>Replay positions</source>
      <translation>学习窗口</translation>
    </message>
    <message>
      <source>newest positions that are trained on</source>
      <translation>最新的局面，用于学习</translation>
    </message>
    <message>
      <source>Surprise share</source>
      <translation>意外权重占比</translation>
    </message>
    <message>
      <source>of the weight of a game's positions that goes to those whose search surprised the net, by KL(target, prior): they are drawn more often (policy surprise weighting, KataGo: 0.5); 0 draws all equally often</source>
      <translation>一局各局面的权重中，按 KL(目标, 先验) 分给搜索结果出乎网络意料的局面的部分：它们被抽取得更多（策略意外加权，KataGo：0.5）；0 则同样频繁</translation>
    </message>
    <message>
      <source>Root value share</source>
      <translation>搜索价值占比</translation>
    </message>
    <message>
      <source>of the search's value in the value target; the rest is the game's result</source>
      <translation>价值目标中搜索价值的占比，其余为对局结果</translation>
    </message>
    <message>
      <source>Train ratio</source>
      <translation>训练倍率</translation>
    </message>
    <message>
      <source>positions trained on per position made, at most</source>
      <translation>每产生一个局面至多学习的局面数</translation>
    </message>
    <message>
      <source>Carry steps</source>
      <translation>结转训练步</translation>
    </message>
    <message>
      <source>players do not wait for steps still due when an iteration's games are done: they are taken in the next ones, and those of more than four iterations never; without it a run that names iterations and evaluator repeats exactly by its seed</source>
      <translation>一轮对局完成时，自对弈不等待尚欠的训练步：这些步在后续各轮补做，超过四轮的部分不再补做；关闭后，指定了轮数与评估方式的训练可按种子精确重复</translation>
    </message>
    <message>
      <source>Batch size</source>
      <translation>批大小</translation>
    </message>
    <message>
      <source>per step (AlphaGo Zero: 2048, AlphaZero: 4096)</source>
      <translation>每步（AlphaGo Zero：2048，AlphaZero：4096）</translation>
    </message>
    <message>
      <source>the highest of AdamW's learning rate, reached after 100 steps; it falls on a cosine to a twentieth at the run's end</source>
      <translation>AdamW 的最高学习率，100 步后达到；随后按余弦下降，到训练结束时为二十分之一</translation>
    </message>
    <message>
      <source>Weight decay</source>
      <translation>权重衰减</translation>
    </message>
    <message>
      <source>on weights alone, decoupled from the gradient</source>
      <translation>只作用于权重，与梯度分开</translation>
    </message>
    <message>
      <source>EMA samples</source>
      <translation>EMA 局面数</translation>
    </message>
    <message>
      <source>learned from over which the averaged weights go back, which are used in self-play and exported; a small number for a short run</source>
      <translation>平均权重所回溯的、学习过的局面数；自我对弈和导出都用平均权重；短训练宜取小值</translation>
    </message>
    <message>
      <source>Checkpoint minutes</source>
      <translation>检查点分钟数</translation>
    </message>
    <message>
      <source>minutes</source>
      <translation>分</translation>
    </message>
    <message>
      <source>between nets that are kept, measured and added to the ladder</source>
      <translation>每隔多久保留、测量网络并放上天梯</translation>
    </message>
    <message>
      <source>Ladder games</source>
      <translation>天梯局数</translation>
    </message>
    <message>
      <source>of one match on the ladder; 0 plays none</source>
      <translation>天梯每场的局数；0 不进行</translation>
    </message>
    <message>
      <source>Ladder simulations</source>
      <translation>天梯模拟数</translation>
    </message>
    <message>
      <source>a move of the nets on the ladder</source>
      <translation>天梯上网络每手所用</translation>
    </message>
    <message>
      <source>Exam positions</source>
      <translation>题集局面数</translation>
    </message>
    <message>
      <source>of each exam with exact answers; 0 is no exams</source>
      <translation>每个有精确答案的题集所用；0 不设</translation>
    </message>
    <message>
      <source>Gate</source>
      <translation>门槛</translation>
    </message>
    <message>
      <source>score</source>
      <translation>得分率</translation>
    </message>
    <message>
      <source>a kept net needs against the one in self-play to replace it; 0 always uses the newest (AlphaGo Zero: 0.55)</source>
      <translation>保留的网络须对最佳网络达到此得分才能取而代之；0 让最新者走棋（AlphaGo Zero：0.55）</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>随机种子</translation>
    </message>
    <message>
      <source>of every random choice</source>
      <translation>用于一切随机选择</translation>
    </message>
    <message>
      <source>after which the run ends, resumes included; 0 is no limit</source>
      <translation>训练在此后结束，含恢复的时间；0 为不限</translation>
    </message>
    <message>
      <source>Iterations</source>
      <translation>轮数</translation>
    </message>
    <message>
      <source>after which the run ends; 0 is no limit</source>
      <translation>训练在此后结束；0 为不限</translation>
    </message>
    <message>
      <source>evaluations</source>
      <translation>次评估</translation>
    </message>
    <message>
      <source>of the net in self-play, after which the run ends, in a shorter last iteration; 0 is no limit</source>
      <translation>自我对弈中网络的评估次数，达到后训练结束，最后一次迭代因此较短；0 表示不限</translation>
    </message>
    <message>
      <source>threads</source>
      <translation>个线程</translation>
    </message>
    <message>
      <source>of self-play, each with a share of the games; 0 is one per processor</source>
      <translation>参与走棋，各分担一部分对局；0 为每个处理器一个</translation>
    </message>
    <message>
      <source>Device</source>
      <translation>设备</translation>
    </message>
    <message>
      <source>that computes the net; auto is the GPU when there is one</source>
      <translation>在哪里计算网络；有 GPU 时 auto 即 GPU</translation>
    </message>
    <message>
      <source>Tensorboard</source>
      <translation>TensorBoard</translation>
    </message>
    <message>
      <source>also log the figures for TensorBoard, if that package is installed</source>
      <translation>安装了 TensorBoard 时，数据也写入其中</translation>
    </message>
  </context>
</TS>
