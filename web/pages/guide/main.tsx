/** A guide: its text is in web/guides, and a test runs its code. */
import "../../style/base.css";
import "../../style/code.css";
import "./guide.css";
import { render } from "preact";
import { Failure } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Article } from "../../lib/text/article.tsx";

const texts = import.meta.glob<string>("../../guides/*.md", { query: "?raw", import: "default" });

const name = /\/docs\/guides\/(\w+)/.exec(location.pathname)?.[1] ?? "";

function Guide() {
	const state = useRead(name, async () => {
		const load = texts[`../../guides/${name}.md`];
		if (load === undefined) throw new Failure("There is no such guide.", { status: 404 });
		return await load();
	});
	return (
		<article class="guide">
			<Failed state={state} />
			{state.data !== undefined && <Article text={withoutLead(state.data)} level={2} />}
			<p>
				<a href="/docs/guides">All guides</a>, <a href="/docs#endpoints">every endpoint</a>.
			</p>
		</article>
	);
}

/** Title and first paragraph are those of the page. */
const withoutLead = (text: string): string => text.split("\n\n").slice(2).join("\n\n");

const root = document.getElementById("page");
// The server writes the index of the guides.
if (root && name !== "") {
	root.textContent = "";
	render(<Guide />, root);
}
