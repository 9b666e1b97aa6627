/** The style sheet of the page about events: that of the registration pages, wider, with long tables that fit a telephone. */
import { registerStyle } from "./register-style.ts";

export const eventsStyle = `${registerStyle}
header nav { display: flex; flex-wrap: wrap; gap: 0 1.2rem; max-width: 60rem; margin: 0 auto; padding: 0.3rem 1rem; }
header nav a { display: inline-block; max-width: none; margin: 0; padding: 0.6rem 0; }
header nav a:not(:first-child) { font-weight: 400; color: var(--accent); }
header nav a[aria-current] { border-bottom: 3px solid var(--accent); }
main { max-width: 60rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 0.4rem; }
th[scope="row"] { font-weight: 400; }
td, th[scope="row"] { overflow-wrap: anywhere; }
pre { tab-size: 4; }
details pre { max-height: 32rem; overflow: auto; }
table.addresses th:first-child { width: 46%; }
details { margin: 0.5rem 0; border: 1px solid var(--line); border-radius: 0.35rem; padding: 0 0.9rem; }
details[open] { padding-bottom: 0.9rem; }
summary { cursor: pointer; padding: 0.7rem 0; }
summary code { font-weight: 600; }
table.fields { font-size: 0.92rem; table-layout: fixed; }
table.fields th:nth-child(1) { width: 34%; }
table.fields th:nth-child(2), table.fields td:nth-child(2) { width: 26%; }
@media (max-width: 40rem) {
	table, tbody, tr, th, td { display: block; }
	thead { display: none; }
	tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
	th, td, table.addresses th:first-child, table.fields th:nth-child(1), table.fields td:nth-child(2) { width: auto; padding: 0.1rem 0; border: 0; }
	td:empty { display: none; }
	table.fields td:nth-child(2) { color: var(--soft); }
}
`;
