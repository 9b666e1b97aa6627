/** The fields of answers as lines of a reference; fields that an earlier answer has are referred to. */
import type { z } from "zod";
import { pageMeta } from "#libs/contract/envelopes.ts";
import { type Field, fieldsOf } from "#libs/schemas/fields.ts";
import { type JsonSchema, jsonSchema } from "../registry/json-schema.ts";

/** Of what an answer says beside its data, so many lines that an earlier answer has are referred to. */
const worthGrouping = 3;
/** An object with fewer fields is shorter listed than referred to. */
const worthReferring = 12;

interface Listed {
	where: string;
	properties: Record<string, string>;
}

export class FieldLines {
	readonly #listed: Listed[] = [];
	/** Lines of fields of `meta`, with the endpoint that has them first. */
	readonly #meta = new Map<string, string>();

	/** Of the answer of the endpoint `of`. */
	of(of: string, reply: z.ZodType): string[] {
		const lines = this.#linesOf(of, reply);
		const isMeta = (each: string) => each.startsWith("- `meta.");
		const known = Map.groupBy(lines.filter(isMeta), (each) => this.#meta.get(each));
		for (const each of lines.filter(isMeta)) if (!this.#meta.has(each)) this.#meta.set(each, of);
		const groups = [...known].filter(([where, same]) => where !== undefined && same.length >= worthGrouping);
		const grouped = new Set(groups.flatMap(([, same]) => same));
		return [
			...lines.filter((each) => !grouped.has(each)),
			...groups.map(([where, same]) => `- as of ${where}: ${same.map(nameIn).join(", ")}`),
		];
	}

	#linesOf(of: string, reply: z.ZodType): string[] {
		const skipped = new Set<string>();
		return fieldsOf(jsonSchema(reply)).flatMap((field) => {
			if (isBelow(field.path, skipped)) return [];
			// The heading of the reference describes it once for all lists.
			if (field.path === "meta" && isPageMeta(field.properties)) {
				for (const name of Object.keys(pageMeta)) skipped.add(`meta.${name}`);
				return [];
			}
			const earlier = this.#earlier(field);
			if (earlier === undefined) {
				if (field.properties !== undefined) this.#remember(of, field);
				return line(field);
			}
			const path = inside(field);
			for (const name of Object.keys(earlier.properties)) skipped.add(path === "" ? name : `${path}.${name}`);
			const others = Object.keys(field.properties ?? {}).length > Object.keys(earlier.properties).length;
			return [`- ${path === "" ? "" : `\`${path}\`: `}every field of ${earlier.where}${others ? ", and:" : ""}`];
		});
	}

	#earlier({ properties }: Field): Listed | undefined {
		if (properties === undefined) return undefined;
		return this.#listed.find((listed) =>
			Object.entries(listed.properties).every(([name, schema]) => JSON.stringify(properties[name]) === schema),
		);
	}

	#remember(of: string, field: Field): void {
		const entries = Object.entries(field.properties ?? {}).map(([name, each]) => [name, JSON.stringify(each)]);
		const where = inside(field) === "" ? of : `${of} \`${inside(field)}\``;
		if (entries.length >= worthReferring) this.#listed.push({ where, properties: Object.fromEntries(entries) });
	}
}

const isBelow = (path: string, parents: ReadonlySet<string>): boolean =>
	[...parents].some((parent) => path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`));

const isPageMeta = (properties: Record<string, JsonSchema> | undefined): boolean =>
	properties !== undefined && Object.keys(pageMeta).every((name) => name in properties);

/** The field of a line, as it stands there. */
const nameIn = (text: string): string => /`[^`]+`/.exec(text)?.[0] ?? "";

/** Of a list of objects, where the fields of each stand. */
const inside = ({ path, type }: Field): string => (type.startsWith("list of") ? `${path}[]` : path);

function line(field: Field): string[] {
	const { path, type, nullable, unit, description } = field;
	// A container without a description is listed by its fields.
	if (path === "" || (field.properties !== undefined && description === undefined && !nullable)) return [];
	const said = description === undefined ? "" : `: ${description}`;
	return [`- \`${path}\` ${type}${nullable ? " or null" : ""}${unit === undefined ? "" : ` [${unit}]`}${said}`];
}
