/** The style sheet of the registration pages: the reader's own fonts, light or dark, from 320 pixels of width. */

export const registerStyle = `:root {
	color-scheme: light dark;
	--page: #ffffff;
	--ink: #16232b;
	--soft: #4c5c66;
	--line: #c3ced5;
	--edge: #6f818c;
	--panel: #f1f5f7;
	--accent: #0b5f7d;
	--on-accent: #ffffff;
	--bad: #a3170f;
}
@media (prefers-color-scheme: dark) {
	:root {
		--page: #10191f;
		--ink: #e8eff3;
		--soft: #a9bac4;
		--line: #35454f;
		--edge: #7d919d;
		--panel: #1a262d;
		--accent: #7fd0ee;
		--on-accent: #08222d;
		--bad: #ff9d92;
	}
}
* { box-sizing: border-box; }
body {
	margin: 0;
	background: var(--page);
	color: var(--ink);
	font: 1rem/1.55 system-ui, sans-serif;
	overflow-wrap: anywhere;
}
header { border-bottom: 1px solid var(--line); }
header a { font-weight: 600; text-decoration: none; color: var(--ink); }
header a, main { display: block; max-width: 42rem; margin: 0 auto; padding: 0.9rem 1rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.4rem 0 0.8rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 0.6rem; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
form {
	margin: 1.6rem 0;
	padding: 1.2rem;
	background: var(--panel);
	border: 1px solid var(--line);
	border-radius: 0.6rem;
}
.field { margin-bottom: 1.2rem; }
label { font-weight: 600; }
.hint { margin: 0.1rem 0 0.4rem; color: var(--soft); font-size: 0.9rem; font-weight: 400; }
form > .hint { margin: 0.9rem 0 0; }
.error { margin: 0.2rem 0 0.5rem; color: var(--bad); font-weight: 600; }
main > .error { border-left: 0.3rem solid var(--bad); padding: 0.4rem 0.8rem; }
input {
	width: 100%;
	padding: 0.6rem 0.7rem;
	font: inherit;
	color: inherit;
	background: var(--page);
	border: 1px solid var(--edge);
	border-radius: 0.35rem;
}
input[aria-invalid] { border: 2px solid var(--bad); }
button {
	width: 100%;
	max-width: 16rem;
	min-height: 2.75rem;
	font: inherit;
	font-weight: 600;
	color: var(--on-accent);
	background: var(--accent);
	border: 1px solid transparent;
	border-radius: 0.35rem;
	cursor: pointer;
}
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.6rem 0.5rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
th:first-child { padding-left: 0; }
thead th { color: var(--soft); font-size: 0.9rem; }
tbody .hint { display: block; }
code { font-family: ui-monospace, monospace; font-size: 0.92em; }
pre {
	margin: 0.5rem 0;
	padding: 0.8rem;
	white-space: pre-wrap;
	background: var(--panel);
	border: 1px solid var(--line);
	border-radius: 0.35rem;
}
.key {
	display: block;
	padding: 0.9rem;
	font-size: 1.1rem;
	user-select: all;
	background: var(--panel);
	border: 2px solid var(--accent);
	border-radius: 0.35rem;
}
.notice { border-left: 0.3rem solid var(--accent); padding: 0.4rem 0.8rem; background: var(--panel); }
ul { padding-left: 1.2rem; }
li { margin-bottom: 0.8rem; }
`;
