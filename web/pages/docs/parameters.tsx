import { useState } from "preact/hooks";
import { allowedOf, typeOf } from "#libs/contract/schemas/fields.ts";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { iaStatuses, statuses, studyPhases, technologies } from "#libs/contract/vocabulary.ts";
import { Table } from "../../lib/elements/table.tsx";
import { InlineText } from "../../lib/text/article.tsx";
import type { Endpoint, Given, Parameter } from "./document.ts";

interface ParametersProps {
	endpoint: Endpoint;
	given: Given;
	give(name: string, value: string): void;
}

/** If there are more parameters than this, only those that are required or set in the example are shown at first. */
const maxShownAtFirst = 10;

/** Parameters with their types, units, defaults and bounds, each with a field for a value to try. */
export function Parameters({ endpoint: { id, parameters }, given, give }: ParametersProps) {
	const [areAll, setAreAll] = useState(parameters.length <= maxShownAtFirst);
	const shown = areAll ? parameters : parameters.filter(({ required, example }) => required || example !== undefined);
	return (
		<>
			<Table
				class="stacked parameters"
				caption="Parameters"
				rows={shown}
				attributes={({ name }) => ({ "data-parameter": name })}
				columns={[
					[
						"Name",
						({ name, required, in: place }) => (
							<>
								<label for={`${id}-${name}`}>
									<code>{name}</code>
								</label>
								{required && <span class="required"> required</span>}
								<br />
								<span class="soft">in the {place}</span>
							</>
						),
					],
					[
						"Meaning",
						(parameter) => (
							<>
								<InlineText text={parameter.description} />{" "}
								<span class="soft traits">{traitsOf(parameter, parameters).join(" · ")}</span>
							</>
						),
					],
					[
						"Value to try",
						(parameter) => (
							<Value
								id={`${id}-${parameter.name}`}
								parameter={parameter}
								value={given[parameter.name] ?? ""}
								give={(value) => give(parameter.name, value)}
							/>
						),
					],
				]}
			/>
			{!areAll && (
				<button type="button" class="small" onClick={() => setAreAll(true)}>
					Show all {parameters.length} parameters
				</button>
			)}
		</>
	);
}

/** Maximum number of an `enum`'s values that are shown. */
const maxValues = 40;

/** Standard values of filters whose schemas list no values, because they also accept values as filed. */
const standardValues: Record<string, readonly string[]> = {
	fuel_type: technologies,
	status: statuses,
	study_phase: studyPhases,
	ia_status: iaStatuses,
};

function traitsOf({ name, schema }: Parameter, parameters: readonly Parameter[]): string[] {
	const { items } = schema;
	const each = items ?? schema;
	const allowed = each.enum !== undefined || each.format === "date" ? null : allowedOf(each);
	const filtersRequests = parameters.some((one) => one.name === "fuel_type");
	const standard = filtersRequests && each.enum === undefined ? standardValues[name] : undefined;
	return [
		...(standard === undefined ? [] : [`standard values ${standard.join(", ")}`]),
		valuesOf(each, items !== undefined) ?? (items === undefined ? typeOf(schema) : `list of ${typeOf(items)}`),
		...(each["x-unit"] === undefined ? [] : [each["x-unit"]]),
		...(allowed === null ? [] : [allowed]),
		...(schema.default === undefined ? [] : [`default ${schema.default}`]),
	];
}

function valuesOf({ enum: values }: JsonSchema, isSeveral: boolean): string | undefined {
	if (values === undefined) return undefined;
	const shown = values.slice(0, maxValues).join(", ");
	return `${isSeveral ? "several of" : "one of"} ${shown}${values.length > maxValues ? ", …" : ""}`;
}

interface ValueProps {
	id: string;
	parameter: Parameter;
	value: string;
	give(value: string): void;
}

/** Values that may be longer than this (characters) get a multi-line field. */
const longText = 1_000;

function Value({ id, parameter: { schema }, value, give }: ValueProps) {
	const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
	if (choices !== undefined)
		return (
			<select id={id} value={value} onChange={(event) => give(event.currentTarget.value)}>
				<option value="">–</option>
				{choices.map((choice) => (
					<option key={choice}>{choice}</option>
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
