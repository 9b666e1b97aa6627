/** The documentation: how to begin, guides, every endpoint of the OpenAPI document, errors and what changed. */
import "../../style/base.css";
import "../../style/code.css";
import "./docs.css";
import { render } from "preact";
import start from "../../guides/start.md?raw";
import { Failure, read } from "../../lib/api.ts";
import { Article } from "../../lib/article.tsx";
import { Failed } from "../../lib/failed.tsx";
import { useRead } from "../../lib/use-read.ts";
import { Changelog } from "./changelog.tsx";
import { Contents } from "./contents.tsx";
import { type Beside, groupsOf, type OpenapiDocument } from "./document.ts";
import { Endpoints } from "./endpoints.tsx";
import { Errors } from "./errors.tsx";
import { Guides } from "./guides.tsx";

/** The title and the lead of the text are those of the page. */
const beginning = start.slice(start.indexOf("\n## "));

function Docs() {
	const state = useRead("openapi", async (signal) => {
		const [document, beside] = await Promise.all([
			read("getOpenapi", "/openapi.json", {}, signal) as Promise<unknown> as Promise<OpenapiDocument>,
			readBeside(signal),
		]);
		return { groups: groupsOf(document), beside };
	});
	const { groups = [], beside } = state.data ?? {};
	return (
		<div class="docs">
			<Contents groups={groups} />
			<div>
				<section aria-labelledby="start">
					<h2 id="start">Five minutes</h2>
					<Article text={beginning} level={3} />
				</section>
				<Failed state={state} />
				{beside && (
					<>
						<Guides guides={beside.guides} />
						<Endpoints groups={groups} reads={beside.reads} />
						<Errors errors={beside.errors} />
						<Changelog releases={beside.changelog} />
					</>
				)}
			</div>
		</div>
	);
}

async function readBeside(signal: AbortSignal): Promise<Beside> {
	const response = await fetch("/web/documentation.json", { signal }).catch(() => undefined);
	if (!response?.ok) throw new Failure("The service does not answer.");
	return await response.json();
}

const root = document.getElementById("page");
if (root) {
	root.textContent = "";
	render(<Docs />, root);
}
