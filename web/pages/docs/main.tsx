/** The documentation: an introduction, guides, every endpoint of the OpenAPI document, errors and the changelog. */
import "../../style/base.css";
import "../../style/code.css";
import "../../style/contents.css";
import "./docs.css";
import start from "../../guides/start.md?raw";
import { Failure, read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { Article, InlineText } from "../../lib/text/article.tsx";
import { Contents } from "./contents.tsx";
import { type Beside, groupsOf, type OpenapiDocument } from "./document.ts";
import { Endpoints } from "./endpoints.tsx";

/** The introduction without its title and first paragraph, because the page has its own. */
const introduction = start.slice(start.indexOf("\n## "));

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
			<Contents groups={groups} guides={beside?.guides ?? []} />
			<div>
				<Section id="start" title="Five minutes">
					<Article text={introduction} level={3} />
				</Section>
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
	if (!response?.ok) throw new Failure("The service does not respond.");
	return await response.json();
}

const Guides = ({ guides }: Pick<Beside, "guides">) => (
	<Section id="guides" title="Guides">
		<ul class="guides">
			{guides.map(({ path, kind, title, lead }) => (
				<li key={path}>
					<a href={path}>{title}</a> <span class="tag">{kind}</span>
					<br />
					<span class="soft">{lead}</span>
				</li>
			))}
		</ul>
	</Section>
);

const problemMembers: readonly (readonly [string, string])[] = [
	["detail", "A sentence for people"],
	["code", "A stable code for programs"],
	["type", "The address of the code's row below"],
	["request_id", "The id to quote when you report an error"],
	["errors", "Each invalid parameter (422 only)"],
];

const Errors = ({ errors }: Pick<Beside, "errors">) => (
	<Section id="errors" title="Errors">
		<p>
			Every error is a problem document (RFC 9457, <code>application/problem+json</code>). Errors are not charged.
		</p>
		<Table
			rows={problemMembers}
			columns={[
				["Member", ([name]) => <code>{name}</code>],
				["Content", ([, content]) => content],
			]}
		/>
		<Table
			class="stacked"
			rows={errors}
			attributes={({ code }) => ({ id: `error-${code}`, "data-code": code })}
			columns={[
				["Code", ({ code }) => <code>{code}</code>],
				["Status", ({ status }) => status, "number"],
				["When", ({ when }) => <InlineText text={when} />],
				["What to do", ({ remedy }) => <InlineText text={remedy} />],
			]}
		/>
	</Section>
);

const Changelog = ({ releases }: { releases: Beside["changelog"] }) => (
	<Section id="changelog" title="What changed in the interface">
		{releases.map(({ day, changed, added }) => (
			<section key={day} aria-labelledby={`day-${day}`}>
				<h3 id={`day-${day}`}>
					<time dateTime={day}>{day}</time>
				</h3>
				<ul>
					{changed.map((text) => (
						<li key={text}>
							<span class="tag">changed</span> <InlineText text={text} />
						</li>
					))}
					{added.map((text) => (
						<li key={text}>
							<InlineText text={text} />
						</li>
					))}
				</ul>
			</section>
		))}
	</Section>
);

mount(<Docs />);
