// Search over an index that is fetched when somebody begins to search, and a button to copy each piece of code.
const search = document.querySelector('.search');
const input = search.querySelector('input');
const found = search.querySelector('.found');
search.hidden = false;

let index = null;
const load = () => (index ??= fetch('/developers/search.json').then((answer) => answer.json()));
const simple = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Every word has to begin a word of the section; a word of the heading counts more. */
function score({ heading, page, words }, wanted) {
  const [title, name, text] = [simple(heading), simple(page), ` ${words}`];
  let sum = 0;
  for (const word of wanted) {
    if (title.split(/[^\p{L}\p{N}_]+/u).includes(word)) sum += 12;
    else if (title.includes(word)) sum += 8;
    else if (name.includes(word)) sum += 4;
    else if (text.includes(` ${word}`)) sum += 1;
    else return 0;
  }
  return sum;
}

async function show() {
  const wanted = simple(input.value)
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean);
  if (wanted.length === 0) {
    found.hidden = true;
    return;
  }
  let sections;
  try {
    sections = await load();
  } catch {
    index = null;
    tell('The search could not be loaded. Try again.');
    return;
  }
  const best = sections
    .map((section) => ({ section, points: score(section, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, 12);
  if (best.length === 0) {
    tell('Nothing is found. Try another word.');
    return;
  }
  found.replaceChildren(
    ...best.map(({ section }) => {
      const link = document.createElement('a');
      link.href = section.path;
      link.textContent = section.heading;
      const where = document.createElement('small');
      where.textContent = `${section.page} · ${section.begin}`;
      link.append(where);
      return link;
    }),
  );
  found.hidden = false;
}

function tell(text) {
  const line = document.createElement('p');
  line.textContent = text;
  found.replaceChildren(line);
  found.hidden = false;
}

input.addEventListener('focus', () => void load().catch(() => (index = null)));
input.addEventListener('input', () => void show());
search.addEventListener('keydown', (event) => {
  const links = [...found.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    found.hidden = true;
    input.focus();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    (next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus();
    event.preventDefault();
  } else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
});
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) found.hidden = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target instanceof HTMLInputElement) return;
  input.focus();
  event.preventDefault();
});

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  block.append(button);
}
