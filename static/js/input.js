// Hands on the board: taps, drags and keys become four calls: tap(point), drop(from, to), dice(), key(name).
// The buttons over the drawing are the only targets, so a finger, a mouse, a keyboard and a screen reader do the same thing.
import { svg } from './board.js';

const THRESHOLD = { mouse: 4, pen: 6, touch: 8 };

export class Input {
  /** `calls`: {tap, drop, dice, grab, key}; grab(point) says whether a checker may be dragged from there. */
  constructor(grid, board, calls) {
    Object.assign(this, { grid, board, calls, held: null, quietUntil: 0 });
    this.buttons = new Map([...grid.querySelectorAll('[data-point]')].map(button => [Number(button.dataset.point), button]));
    grid.addEventListener('pointerdown', event => this.down(event));
    grid.addEventListener('pointermove', event => this.move(event));
    grid.addEventListener('pointerup', event => this.up(event));
    grid.addEventListener('pointercancel', () => this.release());
    grid.addEventListener('lostpointercapture', () => this.release());
    grid.addEventListener('click', event => this.click(event));
    grid.addEventListener('keydown', event => this.keydown(event));
    grid.addEventListener('contextmenu', event => event.preventDefault());
    // The first finger's drag ends cleanly when a second one comes down anywhere.
    addEventListener('pointerdown', event => { if (this.held && event.pointerId !== this.held.id) this.release(); }, true);
  }

  pointOf(target) {
    const button = target?.closest?.('[data-point]');
    return button && this.grid.contains(button) ? Number(button.dataset.point) : null;
  }

  down(event) {
    if (!event.isPrimary || event.button) return;
    const point = this.pointOf(event.target);
    if (point === null) return;
    this.held = { id: event.pointerId, point, x: event.clientX, y: event.clientY, limit: THRESHOLD[event.pointerType] ?? 8, ghost: null };
    this.grid.setPointerCapture(event.pointerId);
  }

  move(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < held.limit || held.dead) return;
      if (!this.calls.grab(held.point)) { held.dead = true; return; }
      held.ghost = svg('use', { href: `#${this.board.colours[0]}`, class: 'ghost' });
      this.board.svg.querySelector('.fly').append(held.ghost);
    }
    const spot = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.board.svg.getScreenCTM().inverse());
    held.ghost.setAttribute('transform', `translate(${spot.x} ${spot.y})`);
  }

  up(event) {
    const held = this.held;
    if (!held || event.pointerId !== held.id) return;
    this.release();
    this.quietUntil = performance.now() + 500;
    if (!held.ghost) {
      if (this.onDice(event)) { this.calls.dice(); return; }
      this.focus(held.point, false);
      this.calls.tap(held.point);
      return;
    }
    const under = document.elementsFromPoint(event.clientX, event.clientY).map(element => this.pointOf(element)).find(point => point !== null);
    this.calls.drop(held.point, under ?? null);
  }

  onDice({ clientX: x, clientY: y }) {
    return [...this.board.svg.querySelectorAll('.die')].some(die => {
      const box = die.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    });
  }

  /** Ends a drag without an effect: a cancel, a second finger, or a new position from the server. */
  release() {
    const held = this.held;
    if (!held) return;
    this.held = null;
    held.ghost?.remove();
    if (this.grid.hasPointerCapture(held.id)) this.grid.releasePointerCapture(held.id);
  }

  /** Clicks that come without a pointer: Enter and Space on a button, or a screen reader. */
  click(event) {
    const point = this.pointOf(event.target);
    if (point === null || performance.now() < this.quietUntil) return;
    this.calls.tap(point);
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const point = this.pointOf(event.target);
    const next = point === null ? null : this.neighbour(point, event.key);
    if (next !== null) { event.preventDefault(); this.focus(next, true); return; }
    if (this.calls.key(event.key, point)) event.preventDefault();
  }

  /** The button in the direction of an arrow, as it is seen on the screen. */
  neighbour(point, key) {
    if (!['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'].includes(key)) return null;
    const boxes = [...this.buttons].filter(([, button]) => button.offsetParent !== null).map(([number, button]) => [number, button.getBoundingClientRect()]);
    const here = boxes.find(([number]) => number === point)[1];
    const x = here.left + here.width / 2;
    // The bar spans both halves: whoever passes it stays in the half they came from.
    const y = point === 25 ? this.row ?? here.top : here.top + here.height / 2;
    this.row = y;
    const upright = key === 'ArrowUp' || key === 'ArrowDown';
    let best = null, least = Infinity;
    for (const [number, box] of boxes) {
      if (number === point) continue;
      const dx = box.left + box.width / 2 - x, dy = box.top + box.height / 2 - y;
      const sameRow = Math.abs(dy) < box.height * 0.6 || number === 25;
      let distance = null;
      if (key === 'ArrowRight' && dx > 2 && sameRow) distance = dx + Math.abs(dy) / 10;
      if (key === 'ArrowLeft' && dx < -2 && sameRow) distance = -dx + Math.abs(dy) / 10;
      if (key === 'ArrowDown' && dy > 2 && upright) distance = dy + Math.abs(dx) * 10;
      if (key === 'ArrowUp' && dy < -2 && upright) distance = -dy + Math.abs(dx) * 10;
      if (key === 'Home' && sameRow && dx < 0) distance = 9999 + dx;
      if (key === 'End' && sameRow && dx > 0) distance = 9999 - dx;
      if (distance !== null && distance < least) { least = distance; best = number; }
    }
    return best;
  }

  /** One tab stop for the whole board: the button that was used last. */
  focus(point, really) {
    for (const [number, button] of this.buttons) button.tabIndex = number === point ? 0 : -1;
    if (really) this.buttons.get(point)?.focus();
  }

  label(point, text, can) {
    const button = this.buttons.get(point);
    if (!button) return;
    if (button.getAttribute('aria-label') !== text) button.setAttribute('aria-label', text);
    button.classList.toggle('can', can);
  }
}
