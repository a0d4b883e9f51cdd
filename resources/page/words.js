// The texts of the pages in their languages, and how they are put there.

const WORDS = {
  en: {
    skip: "To the figures", language: "Language", theme: "Theme", theme_system: "System's theme",
    theme_light: "Light", theme_dark: "Dark", opening: "The search is being opened…",
    broken: "This search cannot be opened: {error}", old: "This browser is too old for this page: {error}",
    live_on: "The search is running.", live_done: "The search has ended, or grown larger than a page can show.",
    live_lost: "Plyscope does not answer any more.",
    run_opening: "Reading the run…", run_phase: "Training: {phase}", run_rests: "Nobody trains here now.",
    run_no_games: "No game is being played.", run_game: "Game", run_ply: "Moves played", run_iteration: "iteration {n}",
    run_step: "step {n}", run_games_total: "{n} games", chart_policy: "Policy loss", chart_value: "Value loss",
    chart_elo: "Elo on the ladder", chart_exams: "Exams, % right", line_loss: "loss", line_floor: "floor", line_elo: "newest",
    board: "Board", tree: "Tree", whole: "Whole tree", moves: "Moves", path: "Moves from the root", notes: "Notes",
    root: "root",
    icicle: "Tree as an icicle: each move below its position, as wide as its share of the simulations",
    icicle_help: "Each move lies below its position, as wide as its share of the simulations. Blue is good for {player}, "
      + "orange bad; the red line is the principal variation. Click selects, double click enlarges; arrow keys go "
      + "through the tree.",
    shares: "Share of the simulations over time", timeline: "Timeline", first: "To the start (Home)", back: "One simulation back (←)", play: "Play (space)",
    pause: "Pause (space)", on: "One simulation on (→)", last: "To the end (End)", simulation: "Simulation",
    speed: "Speed", speed_slow: "each step", speed_n: "{n} a second",
    move: "Move", visits: "N", share: "Share", value: "Q", prior: "P", s: "S", exploration: "U", score: "Score",
    visits_tip: "Simulations that took the move", share_tip: "Share of the simulations",
    value_tip: "Mean value for the player who plays the move", prior_tip: "The net's prior probability",
    s_tip: "The score utility", exploration_tip: "The bonus for what was tried little",
    score_tip: "What selection goes by; the highest is entered next",
    next: "next", best: "best",
    after: "After {moves}", to_move: "{player} to move", beginning: "Beginning",
    next_sum: "{move} is entered next: {written} = {score}", next_score: "{move} is entered next: score {score}",
    more: "Show all {n} moves", less: "Show fewer moves",
    value_of: "Value", value_for: "{value} for {player}", simulations: "Simulations", line: "Principal variation",
    to_play: "To move", won: "win", draw: "draw", lost: "loss", rule: "Rule",
    no_rows: "No move was entered here yet, or the game is over.", rest: "{n} more moves were never tried.",
    stage_1: "Selection", stage_2: "Expansion", stage_3: "Evaluation", stage_4: "Backup",
    begins: "simulation {n} begins at the root.", selects: "simulation {n} selects {moves}.",
    expands: "simulation {n} adds {move} to the tree.",
    valued_net: "the net gives {value} for {player} after {moves}.",
    valued_rollout: "a random game from there ends with {value} for {player}.",
    valued_ended: "the game is over after {moves}: {value} for {player}.",
    valued_proof: "{moves} is proved: {value} for {player}.",
    backs_up: "simulation {n} went {moves} and adds {value} for {player} to every position on its way.",
    at_root: "the root", start: "Before the first simulation.", selected: "{move} selected, N {n}, Q {q}",
    stone_r: "Red", stone_y: "Yellow", stone_k: "Black", stone_o: "White", stone_x: "X", stone_n: "O", stone_u: "Blue",
    stone_0: "First", stone_1: "Second", pass: "pass", about: "{n} simulations · {evaluator} · {rule}",
    label: "{after}. {to_move}.",
  },
  zh: {
    skip: "跳到数值", language: "语言", theme: "主题", theme_system: "跟随系统", theme_light: "浅色", theme_dark: "深色",
    opening: "正在打开这次搜索……", broken: "无法打开这次搜索：{error}", old: "浏览器太旧，无法显示本页：{error}",
    live_on: "搜索正在进行。", live_done: "搜索已经结束，或者已经大到网页无法显示。", live_lost: "Plyscope 不再回应。",
    run_opening: "正在读取训练……", run_phase: "训练中：{phase}", run_rests: "现在没有进行训练。",
    run_no_games: "没有正在进行的对局。", run_game: "对局", run_ply: "已走步数", run_iteration: "第 {n} 轮", run_step: "第 {n} 步",
    run_games_total: "{n} 局", chart_policy: "策略损失", chart_value: "价值损失", chart_elo: "天梯 Elo", chart_exams: "考题，正确 %",
    line_loss: "损失", line_floor: "下限", line_elo: "最新",
    board: "棋盘", tree: "搜索树", whole: "整棵树", moves: "着法", path: "从根节点起的着法", notes: "备注",
    root: "根节点",
    icicle: "冰柱图形式的搜索树：每步棋位于其局面下方，宽度为它占模拟次数的比例",
    icicle_help: "每步棋位于其局面下方，宽度为它占模拟次数的比例。蓝色对{player}有利，橙色不利；红线是主要变例。"
      + "单击选中，双击放大；方向键在树中移动。",
    shares: "模拟次数占比随时间的变化", timeline: "时间线", first: "到开头（Home）", back: "后退一次模拟（←）", play: "播放（空格）", pause: "暂停（空格）",
    on: "前进一次模拟（→）", last: "到结尾（End）", simulation: "模拟", speed: "速度", speed_slow: "逐步",
    speed_n: "每秒 {n} 次",
    move: "着法", visits: "N", share: "占比", value: "Q", prior: "P", s: "S", exploration: "U", score: "得分",
    visits_tip: "选了这步棋的模拟次数", share_tip: "占模拟次数的比例", value_tip: "对走这步棋的一方的平均价值",
    prior_tip: "网络给出的先验概率", s_tip: "得分效用", exploration_tip: "对尝试较少者的加分", score_tip: "选择所依据的得分；最高者下一次进入",
    next: "下一步进入", best: "最佳",
    after: "{moves} 之后", to_move: "轮到{player}", beginning: "开局",
    next_sum: "下一次进入 {move}：{written} = {score}", next_score: "下一次进入 {move}：得分 {score}",
    more: "显示全部 {n} 个着法", less: "显示较少着法",
    value_of: "价值", value_for: "{value}（对{player}）", simulations: "模拟次数", line: "主要变例",
    to_play: "轮到", won: "胜", draw: "和", lost: "负", rule: "规则",
    no_rows: "还没有进入这里的着法，或者棋局已结束。", rest: "另有 {n} 个着法从未尝试。",
    stage_1: "选择", stage_2: "扩展", stage_3: "评估", stage_4: "回传",
    begins: "第 {n} 次模拟从根节点开始。", selects: "第 {n} 次模拟选择 {moves}。",
    expands: "第 {n} 次模拟把 {move} 加入树中。",
    valued_net: "{moves} 之后，网络认为对{player}的价值为 {value}。",
    valued_rollout: "从那里开始的随机对局以 {value}（对{player}）结束。",
    valued_ended: "{moves} 之后棋局结束：对{player}为 {value}。",
    valued_proof: "{moves} 已被证明：对{player}为 {value}。",
    backs_up: "第 {n} 次模拟走了 {moves}，把 {value}（对{player}）加到途经的每个局面。",
    at_root: "根节点", start: "第一次模拟之前。", selected: "已选中 {move}，N {n}，Q {q}",
    stone_r: "红方", stone_y: "黄方", stone_k: "黑方", stone_o: "白方", stone_x: "X", stone_n: "O", stone_u: "蓝方",
    stone_0: "先手", stone_1: "后手", pass: "停着", about: "{n} 次模拟 · {evaluator} · {rule}",
    label: "{after}，{to_move}。",
  },
};

const LANGUAGES = { en: "en", zh: "zh-CN" };

let language = "en";

const find = id => document.getElementById(id);

/** An HTML element with a text and a class. */
function made(name, text = "", kind = "") {
  const element = document.createElement(name);
  if (text !== "") element.textContent = text;
  if (kind) element.className = kind;
  return element;
}

/** A bar as wide as a share, for a table. */
function shareBar(share) {
  const bar = made("span", "", "share");
  bar.style.width = `${(100 * share).toFixed(2)}%`;
  bar.setAttribute("aria-hidden", "true");
  return bar;
}

/** Gives the page a theme of its own; "" for the system's. */
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  find("theme").value = theme;
}

/** The text of a key in the page's language, with `{name}` replaced by values. */
function say(key, values = {}) {
  return WORDS[language][key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The language of `LANGUAGES` that the browser asks for first. */
function preferredLanguage() {
  const asked = (navigator.languages || [navigator.language]).map(tag => tag.slice(0, 2).toLowerCase());
  return asked.find(tag => tag in LANGUAGES) || "en";
}

/** Writes the fixed texts of the page: `data-text` into elements, `data-label` into their labels and tooltips. */
function writeTexts(values) {
  document.documentElement.lang = LANGUAGES[language];
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = say(element.dataset.text, values);
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    const text = say(element.dataset.label, values);
    element.setAttribute("aria-label", text);
    if (element.tagName === "BUTTON") element.title = text;
  }
}

/** A whole number with its digits in groups. */
function count(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u2009");
}

/** A value with its sign and digits, as the program writes it; "–" for none. */
function signed(value, digits = 3) {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value > 0 ? "+" : "−") + text;
}

/** A share in percent; "–" for none. */
function percent(share) {
  return Number.isNaN(share) ? "–" : (100 * share).toFixed(1) + " %";
}
