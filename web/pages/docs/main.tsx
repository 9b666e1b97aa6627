/** The documentation: how to begin, guides, every endpoint of the OpenAPI document, errors and what changed. */
import "../../style/base.css";
import "../../style/code.css";
import "./docs.css";
import { render } from "preact";
import start from "../../guides/start.md?raw";
import { Failure, read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Head, number } from "../../lib/elements/table.tsx";
import { Article, Line } from "../../lib/text/article.tsx";
import { Contents } from "./contents.tsx";
import { type Beside, groupsOf, type OpenapiDocument } from "./document.ts";
import { Endpoints } from "./endpoints.tsx";

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

export const Guides = ({ guides }: Pick<Beside, "guides">) => (
	<section aria-labelledby="guides">
		<h2 id="guides">Guides</h2>
		<ul class="guides">
			{guides.map(({ name, title, lead }) => (
				<li key={name}>
					<a href={`/docs/guides/${name}`}>{title}</a>
					<br />
					<span class="soft">{lead}</span>
				</li>
			))}
		</ul>
	</section>
);

export const Errors = ({ errors }: Pick<Beside, "errors">) => (
	<section aria-labelledby="errors">
		<h2 id="errors">Errors</h2>
		<p>
			Every error is a problem (RFC 9457, <code>application/problem+json</code>) with a <code>detail</code>, a sentence
			for people, and a <code>code</code> for programs, which stays what it is; <code>type</code> leads to the row
			below, <code>request_id</code> is what to name when you report a fault, and a 422 has <code>errors</code> with
			each parameter at fault. What is answered with a status of 400 or more is not charged.
		</p>
		<table class="stacked">
			<Head columns={["Code", number("Status"), "When", "What to do"]} />
			<tbody>
				{errors.map(({ code, status, when, remedy }) => (
					<tr key={code} id={`error-${code}`} data-code={code}>
						<th scope="row">
							<code>{code}</code>
						</th>
						<td class="number">{status}</td>
						<td>
							<Line text={when} />
						</td>
						<td>
							<Line text={remedy} />
						</td>
					</tr>
				))}
			</tbody>
		</table>
	</section>
);

export const Changelog = ({ releases }: { releases: Beside["changelog"] }) => (
	<section aria-labelledby="changelog">
		<h2 id="changelog">What changed in the interface</h2>
		{releases.map(({ day, changed, added }) => (
			<section key={day} aria-labelledby={`day-${day}`}>
				<h3 id={`day-${day}`}>
					<time dateTime={day}>{day}</time>
				</h3>
				<ul>
					{changed.map((text) => (
						<li key={text}>
							<span class="tag">changed</span> <Line text={text} />
						</li>
					))}
					{added.map((text) => (
						<li key={text}>
							<Line text={text} />
						</li>
					))}
				</ul>
			</section>
		))}
	</section>
);

const root = document.getElementById("page");
if (root) {
	root.textContent = "";
	render(<Docs />, root);
}
