/** What stands above every page: the way to the others. */
import { type Html, html } from "./html.ts";

export const navigation: [address: string, text: string][] = [
	["/explore", "Explore"],
	["/changes", "Changes"],
	["/scores", "Scores"],
	["/sql", "SQL"],
	["/status", "Status"],
	["/docs", "Documentation"],
	["/docs/events", "Events"],
	["/account", "Account"],
];

/** `name`: of the service. `path`: where the page is; undefined where it is at no address of its own. */
export const siteHeader = (name: string, path: string | undefined): Html =>
	html`<a class="skip" href="#page">Skip to the content</a>
<header class="site"><nav aria-label="Site"><a href="/"${path === "/" ? html` aria-current="page"` : undefined}>${name}</a>${linksOf(path)}</nav></header>`;

/** The link of this page says so; of a page below one, that one's. */
function linksOf(path: string | undefined): Html[] {
	const addresses = navigation.map(([address]) => address);
	const exact = addresses.find((address) => address === path);
	const above = exact ?? addresses.find((address) => path?.startsWith(`${address}/`));
	return navigation.map(([address, text]) => {
		const current = address !== above ? undefined : html` aria-current="${exact === undefined ? "true" : "page"}"`;
		return html` <a href="${address}"${current}>${text}</a>`;
	});
}
