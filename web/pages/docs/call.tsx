import { useState } from "preact/hooks";
import { type Call, type Language, languages, programOf } from "#libs/contract/documents/programs.ts";
import { fieldsOf } from "#libs/contract/schemas/fields.ts";
import { readAt } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Table } from "../../lib/elements/table.tsx";
import { InlineText } from "../../lib/text/article.tsx";
import { Code } from "../../lib/text/code.tsx";
import { count } from "../../lib/text/format.ts";
import { callOf, type Endpoint, exampleOf, jsonText } from "./document.ts";

const fences: Record<Language, string> = { curl: "sh", JavaScript: "js", Python: "py" };

interface ProgramsProps {
	call: Call;
	shared: Pick<Shared, "language" | "setLanguage">;
}

export const Programs = ({ call, shared: { language, setLanguage } }: ProgramsProps) => (
	<div class="programs">
		<fieldset>
			<legend>The call in</legend>
			{languages.map((each) => (
				<button
					key={each}
					type="button"
					class="small"
					aria-pressed={each === language}
					onClick={() => setLanguage(each)}
				>
					{each}
				</button>
			))}
		</fieldset>
		<Code
			text={programOf[language](call, location.origin)}
			name={`the call in ${language}`}
			language={fences[language]}
		/>
		{call.secret === "key" && (
			<p class="soft">
				The key is read from the environment: <code>export KEY=pk_...</code>; without one leave the header out.
			</p>
		)}
		{call.secret === "credits" && (
			<p class="soft">
				The token is read from the environment: <code>export CREDITS=cr_...</code>
			</p>
		)}
	</div>
);

/** The response to the example request. It is fetched live if pages may call the operation; otherwise it is the example in the OpenAPI document. */
export function Example({ endpoint, shared }: { endpoint: Endpoint; shared: Pick<Shared, "reads"> }) {
	if (shared.reads.has(endpoint.id)) return <Live endpoint={endpoint} />;
	const example = endpoint.answers.find(([, content]) => content.example !== undefined)?.[1].example;
	if (example === undefined) return null;
	return (
		<>
			<h5>A response, from the loaded data</h5>
			<LongText text={typeof example === "string" ? example : jsonText(example)} name="the response" />
		</>
	);
}

const rowsOfExample = "10";

function Live({ endpoint }: { endpoint: Endpoint }) {
	const isList = endpoint.parameters.some(({ name }) => name === "per_page");
	const { address, body } = callOf(endpoint, { ...(isList && { per_page: rowsOfExample }), ...exampleOf(endpoint) });
	const state = useRead(endpoint.id, (signal) => readAt(address, body, signal));
	return (
		<>
			<h5>
				The present response to <code>{address}</code>
			</h5>
			<Failed state={state} />
			{state.data !== undefined && <LongText text={jsonText(state.data)} name="the response" />}
		</>
	);
}

const fewLines = 40;
/** Maximum length of a text that is highlighted (characters): longer texts take the browser too long. */
const maxHighlighted = 100_000;

export function LongText({ text, name }: { text: string; name: string }) {
	const [isWhole, setIsWhole] = useState(false);
	const lines = text.split("\n");
	const isShort = lines.length <= fewLines + 5;
	return (
		<>
			<Code
				text={isWhole || isShort ? text : `${lines.slice(0, fewLines).join("\n")}\n…`}
				copied={text}
				name={name}
				language={text.length > maxHighlighted ? undefined : "json"}
			/>
			{!isShort && (
				<button type="button" class="small" onClick={() => setIsWhole(!isWhole)}>
					{isWhole ? "Show the beginning" : `Show all ${count(lines.length)} lines`}
				</button>
			)}
		</>
	);
}

const fewFields = 15;

export function Fields({ endpoint: { answers } }: { endpoint: Endpoint }) {
	const [, answer] = answers.find(([type]) => type.startsWith("application/json")) ?? [];
	if (answer === undefined) return <p>Answers {answers.map(([type]) => type).join(" or ")}.</p>;
	const fields = fieldsOf(answer.schema).slice(1);
	if (fields.length === 0) return null;
	return (
		<details class="fields" open={fields.length <= fewFields}>
			<summary>Fields of the response ({fields.length})</summary>
			<Table
				class="stacked"
				rows={fields}
				attributes={({ path }) => ({ "data-field": path })}
				columns={[
					["Field", ({ path }) => <code>{path}</code>],
					["Type", ({ type, nullable, unit }) => `${type}${nullable ? " or null" : ""}${unit ? ` [${unit}]` : ""}`],
					[
						"Meaning",
						({ description, unit }) =>
							description !== undefined && description !== unit && <InlineText text={description} />,
					],
				]}
			/>
		</details>
	);
}

/** The state that all endpoints of the page share. */
export interface Shared {
	reads: ReadonlySet<string>;
	key: string;
	language: Language;
	setLanguage(language: Language): void;
	/** ID of the endpoint in the URL's fragment. */
	named: string;
}
