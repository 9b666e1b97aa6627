/** Fields for the filters that the operation declares. The frequent ones are always shown, the others on demand. */
import { useEffect, useId, useState } from "preact/hooks";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { stateCodes } from "#libs/contract/vocabulary.ts";
import { Choice, TextField } from "../../lib/elements/fields.tsx";
import { filterLabels } from "../../lib/requests/filters.ts";
import { labelOf } from "../../lib/text/format.ts";
import { withUnit } from "./cells.tsx";
import type { Declared } from "./registry.ts";

/** Parameters by name, without those that are not set. */
export type Query = Record<string, string>;

interface FilterFormProps {
	params: Declared["params"];
	/** Names of the filters that are always shown. */
	frequent: readonly string[];
	labels: Readonly<Record<string, string>>;
	query: Query;
	/** Error messages by name of the filter. */
	faults: Readonly<Record<string, string>>;
	set(name: string, value: string): void;
	clear(): void;
}

export function FilterForm({ params, frequent, labels, query, faults, set, clear }: FilterFormProps) {
	const further = Object.keys(params).filter((name) => !frequent.includes(name));
	const field = (name: string) => (
		<Filter
			key={name}
			schema={params[name] ?? {}}
			label={labels[name] ?? filterLabels[name as keyof typeof filterLabels] ?? labelOf(name)}
			value={query[name] ?? ""}
			fault={faults[name]}
			set={(value) => set(name, value)}
		/>
	);
	const chosen = further.filter((name) => query[name] !== undefined || faults[name] !== undefined);
	return (
		<form class="list-filters" onSubmit={(event) => event.preventDefault()}>
			<div class="filters">{[...frequent, ...chosen].map(field)}</div>
			{Object.keys(query).length > 0 && (
				<button type="button" class="plain" onClick={clear}>
					Clear all filters
				</button>
			)}
			{further.length > chosen.length && (
				<details>
					<summary>More filters ({further.length - chosen.length})</summary>
					<div class="filters">{further.filter((name) => !chosen.includes(name)).map(field)}</div>
				</details>
			)}
		</form>
	);
}

interface FilterProps {
	schema: JsonSchema;
	label: string;
	value: string;
	fault: string | undefined;
	set(value: string): void;
}

function Filter({ schema, label: name, value, fault, set }: FilterProps) {
	const id = useId();
	const each = schema.items || schema;
	const unit = each["x-unit"];
	const label = withUnit(name, unit === "fraction" ? "0 to 1" : unit);
	const choices = choicesOf(each);
	return (
		<div title={schema.description}>
			{choices === undefined ? (
				<Typed
					{...{ label, value, set }}
					type={typeOf(schema)}
					defaultValue={schema.default}
					describedBy={fault && id}
				/>
			) : (
				<Choice
					label={label}
					value={value}
					set={set}
					options={[
						["", schema.default === undefined ? "All" : textOf(String(schema.default))],
						...[...new Set([...choices, value])]
							.filter((choice) => choice !== "" && choice !== String(schema.default))
							.map((choice) => [choice, textOf(choice)] as const),
					]}
				/>
			)}
			{fault !== undefined && (
				<span id={id} class="failure" role="alert">
					{fault}
				</span>
			)}
		</div>
	);
}

const textOf = (choice: string): string => ({ true: "Yes", false: "No" })[choice] ?? labelOf(choice);

function choicesOf({ type, enum: values, pattern }: JsonSchema): readonly string[] | undefined {
	if (type === "boolean") return ["true", "false"];
	// Only state codes have the pattern of two letters.
	return pattern === "^[A-Za-z]{2}$" ? stateCodes : values?.map(String);
}

const typeOf = ({ type, format }: JsonSchema): TypedProps["type"] =>
	format === "date" ? "date" : type === "number" || type === "integer" ? "number" : "search";

interface TypedProps extends Pick<FilterProps, "label" | "value" | "set"> {
	type: "date" | "number" | "search";
	/** Default value of the parameter. */
	defaultValue: unknown;
	describedBy: string | undefined;
}

/** A field that sets the value when the reader leaves it, presses Enter or selects a day. */
function Typed({ label, type, value, set, defaultValue, describedBy }: TypedProps) {
	const [typed, setTyped] = useState(value);
	useEffect(() => setTyped(value), [value]);
	return (
		<TextField
			{...{ label, type, value: typed, set: setTyped, maxLength: 200 }}
			{...(type === "number" && { step: "any" })}
			{...(defaultValue !== undefined && { placeholder: String(defaultValue) })}
			aria-invalid={describedBy !== undefined}
			aria-describedby={describedBy}
			onChange={({ currentTarget }) => set(currentTarget.value.trim())}
		/>
	);
}
