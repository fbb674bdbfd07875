import { render } from 'preact';
import { App } from './app.js';

const page = document.getElementById('page');
const [, , sessionId = ''] = location.pathname.split('/');
if (page) render(<App sessionId={decodeURIComponent(sessionId)} />, page);
