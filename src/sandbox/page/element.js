/**
 * Everything on the page is made here, and only from text: what a request contained can never become markup.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

/**
 * The element with this id; the page is one file with this script, so it is there.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`There is no #${id}`);
  return node;
}

/**
 * @param {string} id
 * @param {string} text
 */
export function setText(id, text) {
  const node = byId(id);
  // A live region that is written again is read out again.
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Makes the list show the items. What has not changed keeps its node: the focus, an opened detail and a reader's place stay.
 *
 * @template T
 * @param {HTMLElement} list
 * @param {readonly T[]} items
 * @param {(item: T) => Node[]} render
 * @param {string} none what stands there when there is nothing
 */
export function showList(list, items, render, none) {
  const before = new Map([...list.children].map((node) => [node.getAttribute('data-item'), node]));
  const nodes = items.map((item) => {
    const json = JSON.stringify(item);
    return before.get(json) ?? element('li', { 'data-item': json }, ...render(item));
  });
  if (nodes.length === 0) nodes.push(before.get('') ?? element('li', { 'data-item': '', class: 'quiet' }, none));
  // Only what is new is put in, and only what is gone is taken out: a node that is moved loses the focus.
  for (const node of [...list.children]) if (!nodes.includes(node)) node.remove();
  nodes.forEach((node, i) => {
    const there = list.children[i] ?? null;
    if (node !== there) list.insertBefore(node, there);
  });
}
