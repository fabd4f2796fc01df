// One turn being put together on the page. Pure: no drawing, no network.
// The server sends the graph of all legal steps: a node is {end, steps: [[from, to, die, hits, next node], …]}, node 0 is now.

export class Turn {
  constructor(graph, position, rules) {
    this.graph = graph;
    this.start = position;   // {mine, theirs, myPinned, theirPinned}: each side in its own numbering
    this.rules = rules;      // {long, hasBar}
    this.path = [];
    this.known = new Map();
  }

  get node() { return this.path.length ? this.path.at(-1)[4] : 0; }
  get steps() { return this.graph[this.node]?.steps ?? []; }
  get complete() { return Boolean(this.graph[this.node]?.end); }
  get forced() { return this.steps.length === 1 && !this.complete; }

  /** Points from which something can move now. */
  origins() { return [...new Set(this.steps.map(step => step[0]))]; }

  /** Where the checker on `from` can go, by one die or by several: Map of point → routes (each a list of steps). */
  destinations(from) {
    const found = new Map();
    const walk = (node, at, route) => {
      for (const step of this.graph[node]?.steps ?? []) {
        if (step[0] !== at) continue;
        const longer = [...route, step];
        const routes = found.get(step[1]) ?? [];
        routes.push(longer);
        found.set(step[1], routes);
        if (step[1] > 0) walk(step[4], step[1], longer);
      }
    };
    walk(this.node, from, []);
    for (const [to, routes] of found) found.set(to, distinct(routes, node => this.ends(node)));
    return found;
  }

  /** The complete turns that can still come of a node. */
  ends(node) {
    if (!this.known.has(node)) {
      const { end, steps } = this.graph[node];
      this.known.set(node, new Set([...(end ? [node] : []), ...steps.flatMap(step => [...this.ends(step[4])])]));
    }
    return this.known.get(node);
  }

  play(route) { this.path.push(...route); }
  undo() { return this.path.pop(); }
  clear() { this.path.length = 0; }

  /** Dice already used, in the order of their use. */
  used() { return this.path.map(step => step[2]); }

  /** The position after the steps played so far. */
  position() { return this.path.reduce((position, step) => after(position, step, this.rules), this.start); }

  /** The turn in notation; the server reads it as it reads a typed move. */
  notation() {
    return this.path.map(([from, to, , hits]) =>
      `${from === 25 ? 'bar' : from}/${to === 0 ? 'off' : to}${hits && this.rules.hasBar ? '*' : ''}`).join(' ');
  }
}

/** Of several routes with the same end only those that lead to different results: with fewest dice first. */
function distinct(routes, ends) {
  const seen = new Map();
  for (const route of routes.sort((a, b) => a.length - b.length)) {
    const key = [...ends(route.at(-1)[4])].sort().join();
    if (!seen.has(key)) seen.set(key, route);
  }
  const shortest = [...seen.values()].filter((route, _, all) => route.length === all[0].length);
  // One step is one step to a player: of two dice that make it, the one that leaves more ways open.
  if (shortest[0].length === 1) return [shortest.reduce((best, route) => ends(route[0][4]).size > ends(best[0][4]).size ? route : best)];
  return shortest;
}

/** The opponent's number of my point, and the other way round. */
export function opposite(point, long) {
  if (point === 0 || point === 25) return point;
  if (!long) return 25 - point;
  return point <= 12 ? point + 12 : point - 12;
}

/** The position after one step of mine: hits send to the bar, or pin where the variant has no bar. */
export function after(position, [from, to, , hits], { long, hasBar }) {
  const mine = [...position.mine], theirs = [...position.theirs];
  let theirPinned = position.theirPinned;
  mine[from] -= 1;
  mine[to] += 1;
  if (!hasBar && mine[from] === 0) theirPinned = theirPinned.filter(point => point !== opposite(from, long));
  if (hits) {
    const there = opposite(to, long);
    if (hasBar) { theirs[there] -= 1; theirs[25] += 1; } else theirPinned = [...theirPinned, there];
  }
  return { mine, theirs, myPinned: position.myPinned, theirPinned };
}

/** A position as the other player sees it. */
export function turned({ mine, theirs, myPinned, theirPinned }) {
  return { mine: theirs, theirs: mine, myPinned: theirPinned, theirPinned: myPinned };
}

/** Steps of a typed play ("13/8 6/5*", "24/18/13", "bar/22(2)") if the graph has them from here, else null. */
export function typed(turn, text) {
  const moves = [];
  for (const word of text.toLowerCase().replace(/^\s*\d[-:]\d:?\s+/, '').split(/[\s,]+/).filter(Boolean)) {
    const match = /^([^()]+?)(?:\((\d)\))?$/.exec(word);
    if (!match) return null;
    const stops = match[1].replaceAll('*', '').split('/').map(stop =>
      ({ bar: 25, бар: 25, off: 0, зняти: 0, снять: 0 })[stop] ?? Number(stop));
    if (stops.length < 2 || stops.some(Number.isNaN)) return null;
    for (let i = 0; i < Number(match[2] ?? 1); i++) for (let j = 1; j < stops.length; j++) moves.push([stops[j - 1], stops[j]]);
  }
  const before = [...turn.path];
  for (const [from, to] of moves) {
    const routes = turn.destinations(from).get(to) ?? [];
    if (routes.length !== 1) { turn.path = before; return null; }
    turn.play(routes[0]);
  }
  return turn.path;
}
