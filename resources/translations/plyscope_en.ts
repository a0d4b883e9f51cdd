<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
  <context>
    <name>Plyscope</name>
    <message numerus="yes">
      <source>{count} problems</source>
      <translation>
        <numerusform>{count} problem</numerusform>
        <numerusform>{count} problems</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{moves} moves</source>
      <translation>
        <numerusform>{moves} move</numerusform>
        <numerusform>{moves} moves</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{periods} periods left</source>
      <translation>
        <numerusform>{periods} period left</numerusform>
        <numerusform>{periods} periods left</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>+ {periods} periods</source>
      <translation>
        <numerusform>+ {periods} period</numerusform>
        <numerusform>+ {periods} periods</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{title} after {plies} moves.</source>
      <translation>
        <numerusform>{title} after {plies} move.</numerusform>
        <numerusform>{title} after {plies} moves.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>random game of {moves} moves, {ended}: {value}</source>
      <translation>
        <numerusform>random game of {moves} move, {ended}: {value}</numerusform>
        <numerusform>random game of {moves} moves, {ended}: {value}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{node} gets {moves} moves</source>
      <translation>
        <numerusform>{node} gets {moves} move</numerusform>
        <numerusform>{node} gets {moves} moves</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>it gets {moves} moves</source>
      <translation>
        <numerusform>it gets {moves} move</numerusform>
        <numerusform>it gets {moves} moves</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{count} others</source>
      <translation>
        <numerusform>{count} other</numerusform>
        <numerusform>{count} others</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} runs go on training when this window is closed.</source>
      <translation>
        <numerusform>A run goes on training when this window is closed.</numerusform>
        <numerusform>{n} runs go on training when this window is closed.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{lines} lines of {file} cannot be read and are left out.</source>
      <translation>
        <numerusform>{lines} line of {file} cannot be read and is left out.</numerusform>
        <numerusform>{lines} lines of {file} cannot be read and are left out.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{bouts} bouts on the ladder</source>
      <translation>
        <numerusform>{bouts} bout on the ladder</numerusform>
        <numerusform>{bouts} bouts on the ladder</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{games_total} games</source>
      <translation>
        <numerusform>{games_total} game</numerusform>
        <numerusform>{games_total} games</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>after {plies} random plies</source>
      <translation>
        <numerusform>after {plies} random ply</numerusform>
        <numerusform>after {plies} random plies</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{n} nodes</source>
      <translation>
        <numerusform>{n} node</numerusform>
        <numerusform>{n} nodes</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{search}: best move under {n} seeds: {moves}</source>
      <translation>
        <numerusform>{search}: best move under {n} seed: {moves}</numerusform>
        <numerusform>{search}: best move under {n} seeds: {moves}</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Try {n} seeds</source>
      <translation>
        <numerusform>Try {n} seed</numerusform>
        <numerusform>Try {n} seeds</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>If Q stays the same, {names} is chosen after {after} more simulations here.</source>
      <translation>
        <numerusform>If Q stays the same, {names} is chosen after {after} more simulation here.</numerusform>
        <numerusform>If Q stays the same, {names} is chosen after {after} more simulations here.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{game}, {moves}, and the games of {others} more trees: they are kept.</source>
      <translation>
        <numerusform>{game}, {moves}, and the game of another tree: they are kept.</numerusform>
        <numerusform>{game}, {moves}, and the games of {others} more trees: they are kept.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>At most {most} unsaved games are kept. Dropped: {game}, {moves} moves.</source>
      <translation>
        <numerusform>At most {most} unsaved games are kept. Dropped: {game}, {moves} move.</numerusform>
        <numerusform>At most {most} unsaved games are kept. Dropped: {game}, {moves} moves.</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>Line of {first}: {plies} of {stones} plies</source>
      <translation>
        <numerusform>Line of {first}: {plies} of {stones} ply</numerusform>
        <numerusform>Line of {first}: {plies} of {stones} plies</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>exact: {result} in {plies} plies for {player}, this move counted</source>
      <translation>
        <numerusform>exact: {result} in {plies} ply for {player}, this move counted</numerusform>
        <numerusform>exact: {result} in {plies} plies for {player}, this move counted</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{simulations} simulations</source>
      <translation>
        <numerusform>{simulations} simulation</numerusform>
        <numerusform>{simulations} simulations</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{moves} moves too narrow to draw</source>
      <translation>
        <numerusform>{moves} move too narrow to draw</numerusform>
        <numerusform>{moves} moves too narrow to draw</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{result}, {distance} plies on</source>
      <translation>
        <numerusform>{result}, {distance} ply on</numerusform>
        <numerusform>{result}, {distance} plies on</numerusform>
      </translation>
    </message>
    <message numerus="yes">
      <source>{player} wins in {plies} plies</source>
      <translation>
        <numerusform>{player} wins in {plies} ply</numerusform>
        <numerusform>{player} wins in {plies} plies</numerusform>
      </translation>
    </message>
  </context>
</TS>
