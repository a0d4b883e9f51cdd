<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
  <context>
    <name>Plyscope</name>
    <message>
      <source>&amp;Game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;New game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Other &amp;game or size…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Open a net…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a game or &amp;session…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Save the game as SGF…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save the s&amp;ession…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Copy the moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Paste moves or a diagram</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Quit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One move &amp;back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One move &amp;forward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ten moves back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ten moves forward</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>To the &amp;start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>To the &amp;end</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Take back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Play again what was taken back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The engine plays its &amp;move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Analysis</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search or &amp;stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave the preview, stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Analyse each &amp;new position</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Lock the search here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search the selected move al&amp;one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search the selected move, &amp;too</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Leave the selected move &amp;out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search &amp;all moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;View</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heatmap: &amp;visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heatmap: &amp;prior</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heatmap: &amp;Q</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No &amp;heatmap</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Coordinates</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Light or dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Theme</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>As the &amp;system</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Dark</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Light</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Language</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>As the &amp;system's</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;English</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Reset the layout</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Help</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Find a command…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Keys and mouse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>&amp;Change the keys…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Selection is run forward at this node: every coming simulation enters the move that selection takes, leaves that move's mean (and spread) as it is and adds the mean to the node's own; simulations already on their way stay so. Told is after how many of them selection takes another move.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the move with the fewest games is next</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not in use: every move has been tried</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none: a move not tried has an infinite bonus</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none: the fewest games decide</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none on their way</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not tried yet: the bonus is infinite</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{letter} = {value}, constant</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{mean} {minus} {fpu_reduction:g} · √{visited_prior} = {unvisited}: this node's value less {fpu_reduction:g} · √ of the P tried</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Proved: no simulation chooses here any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No move may be entered: all are proved lost.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>every other one is proved lost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it is the only move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After {after} more simulations here it turns to {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none: only the root has it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{unvisited}: v_mix, the net's V mixed with the Q of the moves tried</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{unvisited}: a move not tried counts as lost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{unvisited}: a move not tried counts as level</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next: every move is tried once first.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After 1 more simulation here it turns to {names}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{total} on their way, counted as losses: {shown}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>π′ {u}, score {score}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next: {others}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next, level with {second}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The choice does not turn within {after} more simulations here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none: the search agrees with the net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not due: moves with {due} visits are taken now, this one has {n}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next: the only move with the {due} visits that are due.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{value} for {mover}, who is to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{q} for {mover} · {q_2} for {other}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next: not tried yet; then {second}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the search sees {gain} more for {better}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next, level with {second} and before it in order.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is next, {margin} ahead of {second}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Black</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>White</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Red</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Yellow</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>First</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Second</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What values the positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Game › New</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The game ({key} for another size)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rows</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Columns</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In a row to win</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Rule</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Passes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heaps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Most chips at once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>click the board</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>play the move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rest on a move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its expected line, numbered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>wheel over the board</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>walk the record</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>click a row</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>look at the position after it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>double-click a row</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>play the line to it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>click a column's title</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>sort by that figure</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>drop an .onnx file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>search with that net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>drop an .sgf or .plyscope file</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>open that game or session</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shift+arrows</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>move a cursor over the board</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Shift+Return</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>play at the cursor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a net from elsewhere</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>one number</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>win, draw, loss: logits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>win, draw, loss: probabilities</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its row 0 is the bottom row</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the policy's rows run the other way</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its policy is</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its value is</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keys and mouse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing to set.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{name}” does not say how it is to be read. It is opened for {game_title}; its input planes must be in this program's order.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Take it out or put it back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hide {title}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tree</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Inspector</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Log</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Improved policy: the prior, raised where Q is above the node's value and lowered below.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Score</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What selection maximises: π′ − N / (1 + ΣN); while the root's field is halved, g + ln P + σ(Q), −∞ for moves not due.  The next simulation enters the move marked ▸.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Flat search plays the move with the fewest games next.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What selection maximises: −N; the next simulation enters the move marked ▸.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The move, as players of the game write it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits: simulations that went through the move.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of its siblings' visits, in percent.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior as selection uses it: the net's policy over the legal moves, root noise included.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean value of the simulations through the move, from −1 (lost) to +1 (won) for the side that plays it; for an unvisited move the value selection assumes.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exploration term of the selection formula: large for a high prior and few visits.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Q + U</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What selection maximises; the next simulation enters the move marked ▸.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net's own value of the position after the move, for the side that plays it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Proof</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Proved result for the side that plays the move, and in how many plies.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Principal variation</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The line the search expects after the move.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{value} for {player} (to move)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>left out of the search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A leaf of the tree: its moves are not opened yet, so there is nothing to choose.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Next choice</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Scores of the moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>  — proved lost: not entered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policies of the moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Entropy and divergence</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>π target</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The move.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior as the net gave it, over the legal moves.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior as selection uses it: root noise mixed in, scaled to sum 1 where only some moves are searched.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of the visits.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Symmetries</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policy over the symmetries</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Value</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Net input</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Root</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The game is over here: there is nothing to choose.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Not analysed yet: Space starts the search.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The search has not looked at this position yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>▸ the next simulation enters; 2 has the next best score.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits; + on their way.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean value for the side to move here, those on their way counted as lost.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>P scaled</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>P noise</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits without proved losses: what a net would learn.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>mean</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net's policy on the board as it stands.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Its mean over all symmetries, each carried back to this board.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Standard deviation over the symmetries.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No position</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a game to look into its search.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nothing proved yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{result} in {plies} for {player}, this move counted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits of all moves here, simulations on their way included.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Constant</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What weighs exploration against the values, as it stands now.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>First-play urgency: the value that stands for Q of a move without visits.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Noise</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Dirichlet noise mixed into the root's priors: (1 − ε) P + ε Dir(α).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Virtual loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Simulations under way count as lost until they are back.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>and {hidden} more of the {total} moves, less visited</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Entropy H, and KL(· ‖ P): how far each lies from the net's.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>π pruned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>V mean</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean of the net's values over all symmetries, ± their standard deviation.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Range</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The least and the greatest of them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>V of each</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The value under each symmetry; the first is the board as it stands.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{mean} {plus_minus} {spread} for {mover}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{low} to {high}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Net V</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net's own value of this position, before any search below it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The mean of all simulations through this node, from both sides.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Difference</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched value less the net's.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing has valued this position yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The result with best play, proved by the search, and its distance.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After {moves}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{result} for {player}, this move counted</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits without those that only noise or early doubt explains (KataGo, section 3.2), no proved loss among them: what a net would learn.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Improved policy: the prior, raised where Q is above the node's value: what a net would learn.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{known} for {mover}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>plays at the cursor of the board</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{key} {what}: choose another key.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{key} is already the key of “{command}”: choose another one, or take it over.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{key} is now the key of “{command}”.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Change the keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search a command or a key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Press the new key here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>press the new key here</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Take it over</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>First key</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>All first keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Commands</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Command</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Menu</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Keys</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Key for “{actions}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Everything</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Notes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Warnings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Errors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>From which level on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Copy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing has been written yet.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the last {lines} of {count} lines</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nets (*.onnx);;All files (*)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Random rollouts (UCT)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Uniform prior, value 0</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{title} is a net for {title_2}, which is now open.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Analysis</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Charts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Samples</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Checkpoints</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Settings</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Step</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Minutes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Small</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Medium</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Large</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Watch a search (Ctrl+1)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Train nets (Ctrl+2)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a command, a view, a game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Find a command</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Commands found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing is called so.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fill: the searched value for the side that plays into the node. Border: the net's own value for the same side. Size: visits, by their logarithm. Square: proved. Red: the line the search expects.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>fill: searched value for the side that plays into it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>loses</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>wins</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>border: the net's</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proved</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>expected line</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>size: visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How many of the most visited nodes are drawn</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nodes in the picture</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Show the whole tree (P); I and O, or the wheel, zoom</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>preparing the picture (compiled once on this machine)…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edges as wide as their share of visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Edges as wide as their prior</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>nodes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>edges by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the game is over here: there is no tree to draw</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not analysed yet — Space starts a search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{picture} of {nodes}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Picture of the search tree</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>win</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>draw</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the position itself</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>visits N</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>searched Q</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>net's own V</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{line} · for {picture}: {figures}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>click selects · double click plays there</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{visits} · {share} of its parent</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>prior P</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proof</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{line} · not among the {picture} most visited nodes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>values for {picture}, who plays into it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the game is over: {proofs}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ended</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{proofs}, {distances} plies on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ones: {mover} moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>zeros: {mover} moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>last move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Input planes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{mover} (to move)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>plane {place}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>preview · Esc returns</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>move {ply}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after {ply} moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>loading the engine…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Selection</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Gumbel and flat</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Engine</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How the next move to explore is chosen: PUCT weighs a prior (AlphaGo Zero, 2017), UCB1 only the visits (UCT, 2006), tuned UCB1 their spread too; flat plays equally many games of each move; Gumbel halves the field (2022).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>PUCT</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>UCB1 (UCT)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>UCB1 tuned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>flat Monte Carlo</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Gumbel</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>c of PUCT</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight of the exploration term. AlphaZero: 1.25.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Lets c grow with the visits. AlphaZero: 19 652; 0 keeps c constant.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>c of UCB1</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight of the exploration term, on values from 0 to 1. UCB1: √2.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Form of it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How the constant of UCB1 is written: c before the root, C inside it (C = c²), UCTK (c = √2 · UCTK).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>c √(ln ΣN / N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>√(C ln ΣN / N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>UCTK √(2 ln ΣN / N)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Unvisited moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The value selection assumes for a move not tried yet: the node's value less a reduction, a loss, or 0.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>value less reduction</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>zero</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Reduction</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Times the square root of the prior mass tried so far.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Considered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moves that enter Gumbel's sequential halving.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Planned for</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Over which the halving is spread.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of Gumbel's σ(Q) = (c_visit + max N) · c_scale · Q. Paper: 50.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of the same, on values from 0 to 1. Paper: 1.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Games a move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>After which flat ends; 0 leaves the end to the limit.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Try every move once before any is tried again.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>each once</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Merge</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search one of the moves that a symmetry of the board carries into one another.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>symmetric</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Move played</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>By most visits, highest mean, or highest lower bound of the mean; auto is the mean under flat.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>auto</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>most visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>highest mean</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>lower bound</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Bound's width</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How far below its mean a move's lower bound lies.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Noise share ε</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of random noise in the root's priors. 0: none, as befits analysis; AlphaZero's self-play: 0.25.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Noise α</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of the Dirichlet noise; small makes it spiky. 0 is 10 / legal moves.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Temperature τ</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How freely the engine's move is drawn from the visits; 0 plays the best.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Expand after</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Visits a position needs before its moves enter the tree, with rollouts.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Random games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How games that value a position without a net are played: every move by chance, or with sense: a win at once is taken, one of the opponent's prevented.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>by chance</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>with sense</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Batch</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Most leaves valued at once; it grows with the tree up to this.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In flight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Batches under way at once: with 2 the next is collected while the net works on one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Threads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Processor threads that play random games, 0 for all. It pays where the games are long, as in Othello.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prove</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back up won, lost and drawn ends exactly, and stop when the position is solved.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>solved positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Threats</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In k-in-a-row games, prove positions that fours or an open four decide.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>prove by fours</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In k-in-a-row games, raise the prior of moves that make or deny threats.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>raise priors</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Memory</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Budget of the tree; when it is full the search stops and says so.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Defaults</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What a new position gets by itself; Space goes on without bound.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Limit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{meaning} Default: {default}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>random rollouts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>uniform prior</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{path!r} cannot be read: {strerror}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Random rollouts value the leaves: there is no net to ask.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The uniform prior sees no board: under every symmetry it says the same.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The game is over: a net is asked about positions with moves left.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>asking {net} under {symmetries} symmetries…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>loading {net}…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of the visits and their number</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net's policy, on a logarithmic scale</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched value of each move for the side that plays it, centred at 0</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The board alone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>loading…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Simulations each new position gets; Space goes on without bound</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>88 888 888 simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Analyse</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Stop searching</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search on without bound</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>to {simulations}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{limit} simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{simulations} simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policy loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cross-entropy of the net's policy to the search's. It cannot fall below the entropy of the targets.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Value loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Cross-entropy to win, draw, loss (nats), or (z − v)², as the run's settings say.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Elo on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Elo, 95 %</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Every kept net against fixed players and each other; random play is 0. A click chooses the net.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Best moves found</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>% of exact sets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of positions with known answers in which the move the net alone likes best is a best one.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Results foretold</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of positions with known answers whose win, draw or loss the net's value tells.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Entropy and KL</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Entropy of the net's policy, and how far the search departs from it: KL(π ‖ P).</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Calibration of the value</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>newest iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Positions by the value predicted, against the mean of how they ended; on the diagonal it is right. A dot's size is the number of positions.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>per second</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moves searched in self-play, and positions to learn from among them.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Games finished</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Games of self-play.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Evaluations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Positions valued by the net in self-play, and what the evaluator does alone at that batch size.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Net at work</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>% of self-play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of the time of self-play in which the net was computed; the rest is the search's own.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Results of self-play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of the games that the first player won, that were drawn, resigned, or ended by a proof.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Length of the games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>plies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Mean over the games of the iteration, openings included.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Age of the window</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>iterations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Iterations since the oldest position that is learned from was made.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learning rate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of the optimiser.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight penalty</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What weight decay holds down, as a term of the loss.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>MB</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of the training process.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>floor: target entropy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>entropy of P</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>KL(π ‖ P)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>mean error</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>to learn from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>games/s</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>in self-play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>alone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>at work</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>first wins</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>draws</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>resigned</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>oldest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>rate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>penalty</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>resident</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no figures yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Value of this position</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>for the side to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What each net says.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policy of this position</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior of the moves that the chosen net likes best, in every net.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>step {step} · {minutes:.0f} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>step {step} · {minutes:.0f} min · best on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Checkpoint</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Compare with</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Best</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net that stands highest on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Use in analysis</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Write this net to a file of its own</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Policy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No net has been kept yet: the first one comes after “checkpoint minutes” of training.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>no other</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior of the net under the slider.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior of the net it is compared with.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The first less the second, in points.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The checkpoint before</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The checkpoint after</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Change</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>P at {step}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{elo}  ({low} to {high})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>step {steps}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>As it is, fp32…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For processors, int8…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For GPUs, fp16…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net was written</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the export ended with {returncode}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not started</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its process is gone</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not running</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>running</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>starting</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>stopped</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{how}; its last line is “{log}”</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>died: {reason}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>died: {log}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its process was killed by signal {exit_code}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>its process ended with code {exit_code}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{words} · no sign of life for {silent_s:.0f} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>it gave no reason</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ended: {reason}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>stopped: {reason}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after 1 random ply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after {plies} random plies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>early · τ {tau:g}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>late · τ {tau:g}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For an hour or so of a small machine</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For a night</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>For days and a GPU</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A game as the program lists it, with its parameters in brackets: gomoku(size=9)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name of the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>To the runs; what is entered here stays (Esc)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Back to the preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the run needs a name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Name</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Preset</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{name}” cannot be the name of a folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>there is a run “{name}” already</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>to be mended: {links}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Training runs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{words} · {command} asked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>game not known</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{lines} lines of {file} cannot be read and are left out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>1 line of {file} cannot be read and is left out.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The folder {path!r} is not there any more.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{reports} in this folder holds no reports of a training run.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Losses, strength, rates</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The games that self-play is at</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>What is learned from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>One position through all kept nets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The settings of this run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{minutes:.0f} h {minutes_2:02.0f} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New run with these settings…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>over</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resume</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on training</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Pause</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Hold the run after the work in hand; its process stays</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Save a checkpoint and end the process; Resume goes on from there</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Over steps of the optimiser</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Over minutes of the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>iteration {done} of {all}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>iteration {done}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{minutes:.0f} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{minutes:.1f} min</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The settings of this run are not known: its folder holds no {run_toml}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>pausing…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>going on…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>stopping…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>step {step}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{games_total} games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{time} of {all}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{bouts} bouts on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>mover's stones</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>opponent's stones</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>first to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The target: what the search made of the position.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The policy of the run's newest kept net.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>In points of percent.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Sample</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open its game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Any other</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A sample drawn at random</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Target and policy</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nothing has been played yet: samples come with the first iteration.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Result z</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How the game ended, for the side to move here.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Value the search came to.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>How far the target is from the net's policy, in nats.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Of this sample in a batch.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Made by</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The search that gave the target.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The net that played.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Number of the game in its shard, its length, and how it ended.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>won</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>drawn</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>lost</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of {shard}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{player} to move · ply {ply} · heat: π</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{result} for {player} ({value})</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>off</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Here {base}; default {default}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{meaning} · default {default}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{plies} plies; {ending}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{plies} plies, the first {opening} at random; {ending}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>full search, move {searched} of the game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of step {net_step}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{game}, to be played out</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{path!r} is not the folder of a training run; it would hold {run_toml} or {reports}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{name}” came to its end after {done} minutes. Minutes in all:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is being converted to {precision} and measured…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>New run…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a run folder…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Runs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>none yet</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No games are being played: the run is not training. Resume it to watch.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Go on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>“{name}” came to its end after {done} iterations. Iterations in all:</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open a run folder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Export the net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Nets (*.onnx)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{name} is being measured…</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>No games to show yet: {words}.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>at the start</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The first position: the analysis board holds another game than {title}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The position on the analysis board, {place}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>The run cannot be started: {error}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Share of the visits shown.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prior: the net's policy, with the root's noise in a full search.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Searched value for the side that plays it.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A click opens the game here on the analysis board</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Open in analysis</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>full search, to learn from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>fast search</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{players} to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>ply {ply} · {game}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Game {id}: {text}, {text_2} {resign}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Game {id} · ply {ply} · {game}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{kind} · {visits} visits</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{kind} begins</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Train a net by letting it play against itself</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>A run plays hundreds of games at once, each move chosen by a search that the net guides. From the finished games the net learns what the search found and how the games ended; the better net plays the next games.

While it runs you see its losses and its strength on a ladder, watch the games, look at what is learned from, and open any kept net in analysis. A run goes on when this window is closed, and can be paused, stopped and resumed at will.

Tic-tac-toe takes two minutes to perfect play; Connect Four an hour or two to be strong.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Search tree</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Position</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tree · each row for the side that plays it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>There is no move to play: the game is over or the search has not begun.</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{result} in {plies} for {player} (to move)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>stopped — Space goes on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>analysing move {number} · locked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>move {number} is analysed · locked</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{result} in {plies} for {player} (to move), by the moves searched</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>not analysed — Space starts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>game over</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Draw</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moves · values for {mover}, who is to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{title} · the net says {value}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proved of the moves searched: a draw</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proved: a draw with best play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{player} wins</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{player} wins in 1 ply</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{player} wins in {plies} plies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>searching without bound</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>searching</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{players} wins</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Moves · only {moves} · values for {mover}, who is to move</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>{moves} and {more} more</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proved of the moves searched: {result}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>proved: {result}</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>limit reached: {simulations} simulations — Space goes on</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>memory budget full: {bytes_budget} — the search settings hold a larger one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Game &amp; net</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Self-play</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Data</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Learning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Measuring</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the game to learn, as `plyscope games` lists it, with its parameters in brackets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>blocks</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>residual blocks of the net (AlphaGo Zero: 19 or 39)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Channels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>channels</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>width of the net's convolutions (AlphaGo Zero: 256)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Heads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>dense layers over the board (AlphaGo Zero) or convolutions and pooling, alike in every place (KataGo); pooled needs a game whose moves are its cells</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Init</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a net file whose weights a new run begins with, those that fit; empty begins with random ones</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>played side by side, one search each; their leaves share the net's batches</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Samples per iteration</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>with a policy target made before each bout of learning</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>how the root explores: puct with noise (AlphaZero) or gumbel, sequential halving (Danihelka et al. 2022)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Gumbel considered</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>that enter gumbel's sequential halving (paper: 16)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of a full search, with noise and as a policy target (KataGo: 600)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Fast simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of a fast search, without noise and not learned from (KataGo: 100)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Full share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the moves that get a full search: playout cap randomisation (KataGo, section 3.1: 0.25); 1 searches all</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>weight of puct's exploration term (AlphaZero: 1.25)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>FPU reduction</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>value</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>by which an unvisited move is thought worse than its parent, times the root of the visited prior</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of Dirichlet noise in the root's priors (AlphaZero: 0.25)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the noise's concentration (AlphaZero: 0.3 chess, 0.03 Go); 0 is 10 / legal moves of that root</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Prune targets</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>visits that only the noise forced are taken out of the policy target (KataGo, section 3.2)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the visits from which early moves are drawn (AlphaGo Zero: 1)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Temperature plies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>drawn at that temperature (AlphaGo Zero: 30); later moves are drawn at late_temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Late temperature</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the later moves; 0 plays the most visited</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Opening share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the games that start with random moves</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Opening plies</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>at most so many random moves start such a game</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resign below</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a side resigns when its searched value lies below minus this (AlphaGo Zero kept false resignations under 5 %); 0 never resigns, 0.95 is usual</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resign turns</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>turns</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of its own in a row that a side's value must lie there</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Resign check share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the games played to the end to count resignations that would have been wrong (AlphaGo Zero: 0.1)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Threat proofs</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>positions that fours or an open four decide are proved at once; for games of k in a row only</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Evaluator</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>what computes the net in self-play; auto measures at the start and takes the faster</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Replay positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the newest, learned from</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Replay on disk</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>MiB</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of games kept on disk; the oldest shards are dropped beyond it</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Optimizer</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>adamw (decoupled weight decay) or sgd with Nesterov momentum</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Momentum</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of sgd (AlphaGo Zero: 0.9)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Batch size</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>per step (AlphaGo Zero: 2048, AlphaZero: 4096)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Train ratio</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>positions learned from per position made, at most</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the highest; it falls on a cosine to the run's end (AlphaGo Zero, sgd: 0.01 and 0.02 beside 0.9 momentum)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Warmup steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>steps</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>over which the rate rises to the highest</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Final rate share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the highest rate that is left at the end of the run</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Weight decay</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>on weights alone; decoupled for adamw, c of c |theta|^2 / 2 for sgd (the papers' 1e-4 of c |theta|^2 is 2e-4)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Clip norm</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the gradient's norm is cut to this; 0 never cuts</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>wdl: cross-entropy on win, draw, loss; mse: (z - v)^2 (AlphaGo Zero, equation 1)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Value weight</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>factor of the value loss</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Root value share</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of the search's value in the value target, beside the game's result</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>EMA</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>decay per step of the averaged weights, which play and are exported</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Checkpoint minutes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>minutes</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>between nets that are kept, measured and set on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ladder games</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of one bout on the ladder; 0 plays none</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Ladder simulations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a move of the nets on the ladder</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Exam positions</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of each exam with exact answers; 0 holds none</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Gate</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>score</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>a kept net must reach against the best one to play in its place; 0 lets the newest play (AlphaGo Zero: 0.55)</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Seed</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>of every random choice</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after which the run ends, resumes included; 0 is no limit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Iterations</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>after which the run ends; 0 is no limit</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>threads</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>that play, each its own share of the games; 0 is one a processor</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Device</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>where the net is computed; auto is the GPU when there is one</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>Tensorboard</source>
      <translation type="unfinished" />
    </message>
    <message>
      <source>the figures are also written for TensorBoard, when that package is installed</source>
      <translation type="unfinished" />
    </message>
  </context>
</TS>
