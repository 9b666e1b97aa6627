/**
 * Formats values according to the schemas of their fields. Units are in the column headings, days are in ISO format, and an unknown value is not
 * shown as zero.
 */
import type { ComponentChildren } from "preact";
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { count, dollars, formatter, labelOf, percent, safeText } from "../../lib/text/format.ts";
import { typeOfField } from "./registry.ts";

export const unknown = (
	<span class="soft" title="Unknown">
		–
	</span>
);

const twoDecimals = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const plain = formatter({ maximumFractionDigits: 2, useGrouping: false });

const numbers: Record<string, (value: number) => string> = {
	MW: count,
	fraction: percent,
	USD: dollars,
	"USD/MWh": twoDecimals,
};

/** Units that formatted values already contain. */
const shown = new Set(["fraction", "USD"]);

export function headingOf(name: string, schema: JsonSchema | undefined): string {
	const unit = typeOfField(schema)["x-unit"];
	return unit !== undefined && shown.has(unit) ? name : withUnit(name, unit);
}

/** Appends the unit to a name, unless the name contains it ("From MW", "Hours"). */
export const withUnit = (name: string, unit: string | undefined): string =>
	unit === undefined || name.toLowerCase().includes(unit.toLowerCase()) ? name : `${name} (${unit})`;

export const lookOf = (schema: JsonSchema | undefined): "number" | "day" | undefined => {
	const { type, format, enum: values } = typeOfField(schema);
	if (format !== undefined || values !== undefined) return "day";
	return type === "number" || type === "integer" ? "number" : undefined;
};

const longestList = 3;

export function cellOf(value: unknown, schema: JsonSchema | undefined): ComponentChildren {
	const { enum: values, format, ...type } = typeOfField(schema);
	if (value === null || value === undefined) return unknown;
	if (typeof value === "boolean") return value ? "Yes" : "No";
	if (typeof value === "number") return (numbers[type["x-unit"] ?? ""] ?? (isCount(type) ? count : plain))(value);
	if (Array.isArray(value)) return value.length === 0 ? unknown : <Several values={value.map(String)} />;
	const text = String(value);
	if (format === "date-time") return <time dateTime={text}>{text.slice(0, 10)}</time>;
	return values === undefined ? safeText(text, 120) : labelOf(text);
}

/** Whether an integer is a count. Years and numeric IDs are integers too, but their minimum is 1 or absent. */
const isCount = ({ type, minimum }: JsonSchema): boolean => type === "integer" && minimum === 0;

function Several({ values }: { values: string[] }) {
	const further = values.slice(longestList);
	return (
		<>
			{safeText(values.slice(0, longestList).join(", "))}
			{further.length > 0 && (
				<span class="soft" title={safeText(further.join(", "), 400)}>
					{" "}
					+{further.length}
				</span>
			)}
		</>
	);
}
