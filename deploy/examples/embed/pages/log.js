/* Shows the events of the agent, from the element or from a frame. */
const names = ['ready', 'state', 'call-started', 'message', 'call-ended', 'error'];

function show(type, detail) {
  const row = document.createElement('li');
  row.textContent = `${type} ${JSON.stringify(detail)}`;
  document.getElementById('log').append(row);
}

for (const name of names) {
  document.addEventListener(`troupe-${name}`, ({ type, detail }) => show(type, detail));
}

const frame = document.querySelector('iframe');
window.addEventListener('message', ({ source, origin, data }) => {
  const isAgent = source === frame?.contentWindow && origin === new URL(frame.src).origin;
  if (isAgent && data.source === 'troupe-agent') show(data.type, data.detail);
});
