/** Names the page after what it is about: its heading, and with `more` its title. */
export function nameAfter(name: string, more?: string): void {
	const heading = document.querySelector("h1");
	if (heading !== null && heading.textContent !== name) heading.textContent = name;
	document.title = more === undefined ? name : `${name} (${more})`;
}
