import { useState } from "preact/hooks";
import { allowedOf } from "#libs/schemas/allowed.ts";
import { typeOf } from "#libs/schemas/fields.ts";
import type { JsonSchema } from "#libs/schemas/json-schema.ts";
import { Head } from "../../lib/elements/table.tsx";
import { Line } from "../../lib/text/article.tsx";
import type { Endpoint, Given, Parameter } from "./document.ts";

interface ParametersProps {
	endpoint: Endpoint;
	given: Given;
	give(name: string, value: string): void;
}

/** So many are shown without being asked for. */
const few = 10;

/** What it takes: each with its type, unit, default and what is allowed, and a field for what is tried. */
export function Parameters(props: ParametersProps) {
	const { parameters } = props.endpoint;
	const [areAll, setAreAll] = useState(parameters.length <= few);
	// Of many, those that the example sets come first.
	const first = areAll ? parameters : parameters.filter(({ required, example }) => required || example !== undefined);
	return (
		<>
			<Table {...props} shown={first} />
			{!areAll && (
				<button type="button" class="small" onClick={() => setAreAll(true)}>
					Show all {parameters.length} parameters
				</button>
			)}
		</>
	);
}

const Table = ({ endpoint: { id }, shown, given, give }: ParametersProps & { shown: Parameter[] }) => (
	<table class="stacked parameters">
		<caption>Parameters</caption>
		<Head columns={["Name", "What it is", "Value to try"]} />
		<tbody>
			{shown.map((parameter) => (
				<tr key={parameter.name} data-parameter={parameter.name}>
					<th scope="row">
						<label for={`${id}-${parameter.name}`}>
							<code>{parameter.name}</code>
						</label>
						{parameter.required && <span class="required"> required</span>}
						<br />
						<span class="soft">in the {parameter.in}</span>
					</th>
					<td>
						<Line text={parameter.description} />{" "}
						<span class="soft traits">{traitsOf(parameter.schema).join(" · ")}</span>
					</td>
					<td>
						<Value
							id={`${id}-${parameter.name}`}
							parameter={parameter}
							value={given[parameter.name] ?? ""}
							give={(value) => give(parameter.name, value)}
						/>
					</td>
				</tr>
			))}
		</tbody>
	</table>
);

/** Words of an `enum` that are listed beside the type. */
const mostWords = 40;

function traitsOf(schema: JsonSchema): string[] {
	const { items } = schema;
	const each = items ?? schema;
	const allowed = each.enum !== undefined || each.format === "date" ? null : allowedOf(each);
	return [
		wordsOf(each, items !== undefined) ?? (items === undefined ? typeOf(schema) : `list of ${typeOf(items)}`),
		...(each["x-unit"] === undefined ? [] : [each["x-unit"]]),
		...(allowed === null ? [] : [allowed]),
		...(schema.default === undefined ? [] : [`default ${schema.default}`]),
	];
}

/** The words that are allowed, as far as they are few. */
function wordsOf({ enum: words }: JsonSchema, isSeveral: boolean): string | undefined {
	if (words === undefined) return undefined;
	const shown = words.slice(0, mostWords).join(", ");
	return `${isSeveral ? "several of" : "one of"} ${shown}${words.length > mostWords ? ", …" : ""}`;
}

interface ValueProps {
	id: string;
	parameter: Parameter;
	value: string;
	give(value: string): void;
}

/** What takes more than this is written on several lines (characters). */
const longText = 1_000;

function Value({ id, parameter: { schema }, value, give }: ValueProps) {
	const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
	if (choices !== undefined)
		return (
			<select id={id} value={value} onChange={(event) => give(event.currentTarget.value)}>
				<option value="">–</option>
				{choices.map((word) => (
					<option key={word}>{word}</option>
				))}
			</select>
		);
	if ((schema.maxLength ?? 0) >= longText || schema.type === "object")
		return (
			<textarea
				id={id}
				rows={4}
				value={value}
				spellcheck={false}
				onInput={(event) => give(event.currentTarget.value)}
			/>
		);
	return (
		<input
			id={id}
			type="text"
			autocomplete="off"
			spellcheck={false}
			value={value}
			onInput={(event) => give(event.currentTarget.value)}
		/>
	);
}
