// A print button is of use only where scripts run.
const button = document.getElementById('print');
button.hidden = false;
button.addEventListener('click', () => print());
