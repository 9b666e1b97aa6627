/** The interface as Python, printed from the OpenAPI document: types of parameters and rows, and a method for each operation. */
import { componentSchemas, type JsonSchema } from "#libs/contract/schemas/json-schema.ts";
import { routes } from "../../libs/client/src/operations.ts";
import { type Described, readInterface } from "./client-types.ts";

const heading = (text: string) => `"""${text} Generated from the OpenAPI document: do not edit."""\n`;
const keywords = new Set(["as", "class", "from", "global", "import", "in", "is", "not", "with"]);
/** The default of `Route.per_page`. */
const rowsPerPage = 200;
/** Names of the fields in which lists have their rows. */
const rowFields = ["data", "projects", "results"];

/** Returns `types.py` and `_generated.py` of the package `eids`. */
export function pythonInterface(): Record<"types.py" | "_generated.py", string> {
	const { operations, schemas } = readInterface();
	// The document's order depends on the order in which modules are imported.
	const calls = operations.map((each) => callOf(each, schemas)).sort((a, b) => (a.name < b.name ? -1 : 1));
	const printer = new Printer(schemas);
	const methods = [
		`${heading("A method for each operation.")}
from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._base import AsyncBase, AsyncContent, AsyncEvents, AsyncFeed, AsyncListing, Base, Content, Events, Feed, Listing
from ._plans import Route

if TYPE_CHECKING:
    from typing import Unpack

    from . import types as t`,
		`ROUTES = {\n${calls.map((call) => `    "${call.name}": ${routeOf(call)},`).join("\n")}\n}`,
		`class Operations(Base):\n${calls.map((call) => methodOf(call, printer, "")).join("\n\n")}`,
		`class AsyncOperations(AsyncBase):\n${calls.map((call) => methodOf(call, printer, "Async")).join("\n\n")}`,
	];
	const params = paramsOf(calls, printer);
	const rows = printer.usedTypes();
	const types = [
		`${heading("Rows, responses and parameters as typed dictionaries.")}
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict`,
		printer.aliases(),
		...rows,
		...params,
	];
	return { "types.py": printed(types), "_generated.py": printed(methods) };
}

const printed = (parts: string[]) => `${parts.join("\n\n\n")}\n`;

interface Call {
	described: Described;
	/** In snake case. */
	name: string;
	title: string;
	path: { name: string; schema: JsonSchema }[];
	params: { name: string; schema: JsonSchema; isRequired: boolean }[];
	/** Undefined if it has no JSON. */
	reply: JsonSchema | undefined;
	kind: "json" | "text" | "list" | "feed" | "events" | "content";
	rows: string | undefined;
	rowSchemas: JsonSchema[];
	isPaged: boolean;
	/** Fields of rows. */
	dates: string[];
}

function callOf(described: Described, schemas: Record<string, JsonSchema>): Call {
	const { operationId, parameters, requestBody, responses } = described;
	const resolved = (schema: JsonSchema): JsonSchema =>
		schema.$ref === undefined ? schema : resolved(schemas[schema.$ref.slice(componentSchemas.length)] ?? {});
	const contents = responses["200"]?.content ?? {};
	const reply = contents["application/json"]?.schema;
	const replies = reply === undefined ? [] : (resolved(reply).anyOf ?? [reply]).map(resolved);
	const properties = (name: string) => replies.flatMap((each) => each.properties?.[name] ?? []).map(resolved);
	const rows = rowFields.find((name) => properties(name).some(({ type }) => type === "array"));
	const body = resolved(Object.values(requestBody?.content ?? {})[0]?.schema ?? {});
	const isPaged = parameters.some(({ name }) => name === "cursor");
	const isFeed = properties("next").length > 0;
	const kind: Call["kind"] =
		"text/event-stream" in contents
			? "events"
			: reply === undefined
				? "content"
				: rows !== undefined && isFeed
					? "feed"
					: rows !== undefined && isPaged
						? "list"
						: Object.keys(contents).length > 1
							? "text"
							: "json";
	const isWalked = kind === "list" || kind === "feed";
	const rowSchemas = properties(rows ?? "").flatMap(({ items }) => items ?? []);
	return {
		...{ described, name: snake(operationId), title: pascal(operationId), reply, kind },
		path: parameters.filter((each) => each.in === "path"),
		params: [
			...parameters
				.filter((each) => each.in === "query")
				.map(({ name, schema, required }) => ({ name, schema, isRequired: required })),
			...Object.entries(body.properties ?? {}).map(([name, schema]) => ({
				...{ name, schema, isRequired: body.required?.includes(name) === true },
			})),
		],
		rows: isWalked ? rows : undefined,
		rowSchemas,
		isPaged,
		dates: isWalked ? datesOf(rowSchemas.map(resolved)) : [],
	};
}

function datesOf(rows: readonly JsonSchema[]): string[] {
	const fields = rows.flatMap(({ properties = {} }) => Object.entries(properties));
	const isDate = ({ format, anyOf = [] }: JsonSchema): boolean => /^date/.test(format ?? "") || anyOf.some(isDate);
	const names = fields.flatMap(([name, schema]) => (isDate(schema) ? [name] : []));
	return [...new Set(names)];
}

function routeOf({ described, kind, rows, rowSchemas, isPaged, dates }: Call): string {
	const most = described.parameters.find(({ name }) => name === "per_page")?.schema.maximum ?? rowsPerPage;
	const { method, path, isRead } = routes[described.operationId as keyof typeof routes];
	const more = [
		...(kind === "json" ? [] : [`kind="${kind}"`]),
		...(rows === undefined || rows === "data" ? [] : [`rows="${rows}"`]),
		...(rows === undefined || most >= rowsPerPage ? [] : [`per_page=${most}`]),
		...(kind === "feed" && isPaged ? ["is_list=True"] : []),
		...(rows === undefined
			? []
			: rowSchemas.slice(-1).map(({ $ref = "" }) => `row="${$ref.slice(componentSchemas.length)}"`)),
		...(dates.length > 0
			? [
					`dates=(${dates
						.map((each) => `"${each}", `)
						.join("")
						.trim()})`,
				]
			: []),
		...(isRead ? ["is_read=True"] : []),
	];
	return `Route(${[`"${method}"`, `"${path}"`, ...more].join(", ")})`;
}

function methodOf(call: Call, printer: Printer, prefix: "" | "Async"): string {
	const { name, title, path, params, reply, kind, described } = call;
	const given = path.map((each) => `${each.name}: ${printer.typeOf(each.schema, "t.", each.name)}`);
	const hasParams = params.length > 0;
	const signature = ["self", ...given, ...(hasParams ? [`**params: Unpack[t.${title}Params]`] : [])].join(", ");
	const inPath = path.map((each) => `"${each.name}": ${each.name}`);
	const all = `{${[...inPath, ...(hasParams ? ["**params"] : [])].join(", ")}}`;
	const row = [...new Set(call.rowSchemas.map((each) => printer.typeOf(each, "t.")))].join(" | ");
	const shape = { list: "Listing", feed: "Feed", events: "Events", content: "Content", json: "", text: "" }[kind];
	const sent = `ROUTES["${name}"], ${all}`;
	if (shape === "") {
		const [before, within] = prefix === "Async" ? ["async ", "await "] : ["", ""];
		const type = printer.typeOf(reply ?? {}, "t.");
		return methodText(
			`${before}def ${name}(${signature}) -> ${type}`,
			described.summary,
			`${within}self._call(${sent})`,
		);
	}
	const type = `${prefix}${shape}${kind === "list" || kind === "feed" ? `[${row}]` : ""}`;
	return methodText(`def ${name}(${signature}) -> ${type}`, described.summary, `${prefix}${shape}(self, ${sent})`);
}

const methodText = (head: string, summary: string, result: string) => `    ${head}:
        """${text(summary)}"""
        return ${result}`;

/** Parameters that operations on requests share are one base class. A class with all parameters of another extends it. */
function paramsOf(calls: readonly Call[], printer: Printer): string[] {
	const all = calls.filter(({ params }) => params.length > 0);
	const classes = all.map((call) => ({
		name: `${call.title}Params`,
		fields: call.params.map((each) => printer.param(each)),
	}));
	const [first, ...others] = classes.filter(({ fields }) => fields.length > 35).map(({ fields }) => fields);
	const shared = (first ?? []).filter((field) => others.every((fields) => fields.includes(field)));
	const done = [{ name: "RequestFilters", fields: shared }];
	const printed = [classOf("RequestFilters", "TypedDict", shared)];
	for (const { name, fields } of classes.toSorted((a, b) => a.fields.length - b.fields.length)) {
		const bases = done.filter((each) => each.fields.length > 3 && each.fields.every((field) => fields.includes(field)));
		const base = bases.toSorted((a, b) => b.fields.length - a.fields.length)[0];
		const own = fields.filter((field) => base?.fields.includes(field) !== true);
		printed.push(classOf(name, base?.name ?? "TypedDict", own));
		done.push({ name, fields });
	}
	return printed;
}

const classOf = (name: string, base: string, fields: readonly string[]) =>
	`class ${name}(${base}, total=False):\n${fields.map((field) => `    ${field}`).join("\n") || "    pass"}`;

class Printer {
	readonly #schemas: Record<string, JsonSchema>;
	/** Names of lists of values, by their values. */
	readonly #aliases = new Map<string, string>();
	/** Schemas that the printed text refers to. */
	readonly #used = new Set<string>();

	constructor(schemas: Record<string, JsonSchema>) {
		this.#schemas = schemas;
	}

	aliases(): string {
		return [...this.#aliases].map(([values, name]) => `${name}: TypeAlias = ${values}`).join("\n");
	}

	/** Declarations of every schema that the printed text refers to. */
	usedTypes(): string[] {
		const printed: string[] = [];
		// The set grows while it is read.
		for (const name of this.#used) printed.push(this.declaration(name, this.#schemas[name] ?? {}));
		return printed;
	}

	declaration(name: string, schema: JsonSchema): string {
		const { properties, required = [], description } = schema;
		if (properties === undefined) return `${name}: TypeAlias = ${JSON.stringify(this.typeOf(schema))}`;
		const fields = Object.entries(properties).map(([key, each]) => {
			const unit = each["x-unit"];
			const type = this.typeOf(each, "", key);
			return { key, type: required.includes(key) ? type : `NotRequired[${type}]`, note: unit ? `  # ${unit}` : "" };
		});
		if (fields.every(({ key }) => isName(key))) {
			const note = description === undefined ? "" : `    """${text(description)}"""\n\n`;
			const lines = fields.map(({ key, type, note }) => `    ${key}: ${type}${note}`);
			return `class ${name}(TypedDict):\n${note}${lines.join("\n") || "    pass"}`;
		}
		const lines = fields.map(({ key, type, note }) => `        "${key}": ${JSON.stringify(type)},${note}`);
		return `${name} = TypedDict(\n    "${name}",\n    {\n${lines.join("\n")}\n    },\n)`;
	}

	param({ name, schema, isRequired }: Call["params"][number]): string {
		const { items } = schema;
		const one = this.typeOf(items ?? schema, "", name);
		const type = items === undefined ? one : `${one} | Sequence[${one}]`;
		return `${isName(name) ? name : `${name}_`}: ${isRequired ? `Required[${type}]` : type}`;
	}

	/** `within`: before names of schemas; `key`: names a list of values. */
	typeOf(schema: JsonSchema, within = "", key = "value"): string {
		const { $ref, const: only, enum: words, anyOf, oneOf, items, properties, additionalProperties, type } = schema;
		const of = (each: JsonSchema): string => this.typeOf(each, within, key);
		if ($ref !== undefined) {
			const name = $ref.slice(componentSchemas.length);
			this.#used.add(name);
			return within + name;
		}
		if (only !== undefined) return literal([only]);
		if (words !== undefined) return this.#named(words, key, within);
		const variants = anyOf ?? oneOf;
		if (variants !== undefined) return [...new Set(variants.map(of))].join(" | ");
		if (items !== undefined) return `list[${of(items)}]`;
		if (properties !== undefined) return "dict[str, Any]";
		if (Array.isArray(type)) return type.map((each) => of({ type: each })).join(" | ");
		const plain = { string: "str", boolean: "bool", null: "None", integer: "int", number: "float", array: "list[Any]" };
		if (type === "object")
			return `dict[str, ${typeof additionalProperties === "object" ? of(additionalProperties) : "Any"}]`;
		return plain[type as keyof typeof plain] ?? "Any";
	}

	#named(words: readonly unknown[], key: string, within: string): string {
		const values = words.filter((word) => word !== null);
		const rest = values.length < words.length ? " | None" : "";
		if (values.length < 4) return literal(values) + rest;
		const printed = literal(values);
		let name = this.#aliases.get(printed);
		for (let count = 1; name === undefined; count++) {
			const wanted = `${pascal(key)}Value${count === 1 ? "" : count}`;
			if (wanted in this.#schemas || [...this.#aliases.values()].includes(wanted)) continue;
			name = wanted;
			this.#aliases.set(printed, name);
		}
		return within + name + rest;
	}
}

const literal = (values: readonly unknown[]) => {
	const texts = values.map((value) =>
		typeof value === "boolean" ? (value ? "True" : "False") : value === null ? "None" : JSON.stringify(value),
	);
	return values.some((value) => typeof value === "number" && !Number.isInteger(value))
		? "float"
		: `Literal[${texts.join(", ")}]`;
};
const isName = (name: string) => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const pascal = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const text = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', "'").replace(/\s+/g, " ");
