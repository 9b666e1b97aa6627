/** Completion of databases, views, columns, functions, table functions and keywords. */
import {
	type Completion,
	type CompletionContext,
	type CompletionResult,
	completeFromList,
} from "@codemirror/autocomplete";
import { PostgreSQL, type SQLNamespace, sql } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";
import { type ColumnSchema, type DatabaseName, identifier, kindOf, type Schema, type ViewSchema } from "./schema.ts";

/** Creates the completion. The views of `database` are completed without a prefix. */
export function completionOf(schema: Schema | undefined, database: DatabaseName): Extension {
	if (schema === undefined) return sql({ dialect: PostgreSQL });
	const namespace: SQLNamespace = Object.fromEntries(
		schema.databases.map(({ name, description, views }) => [
			name,
			{
				self: { label: name, type: "namespace", info: description },
				children: Object.fromEntries(
					views.map((view) => [
						view.name,
						{
							self: { label: view.name, type: "type", info: view.description },
							children: view.columns.map(columnOption),
						},
					]),
				),
			},
		]),
	);
	const { language } = PostgreSQL;
	const functions = schema.functions.map((name): Completion => ({ label: name, type: "function", apply: `${name}(` }));
	const macros = schema.macros
		.filter((macro) => macro.database === database)
		.map(({ name, description, parameters, example }): Completion => {
			const detail = `(${parameters.join(", ")})`;
			return { label: name, type: "function", detail, info: description, apply: example, boost: 1 };
		});
	return [
		sql({ dialect: PostgreSQL, schema: namespace, defaultSchema: database }),
		language.data.of({ autocomplete: completeFromList([...macros, ...functions]) }),
		language.data.of({ autocomplete: columnsOf(schema, database) }),
	];
}

const columnOption = (column: ColumnSchema): Completion => ({
	label: column.name,
	apply: identifier(column.name),
	type: "property",
	detail: kindOf(column),
	info: column.description,
	boost: 2,
});

/** Completes the columns of the views that the statement refers to, without a prefix. */
function columnsOf({ databases, macros }: Schema, database: DatabaseName) {
	const own = databases.find(({ name }) => name === database)?.views ?? [];
	const behind = (word: string): ViewSchema | undefined => {
		const view = macros.find((macro) => macro.database === database && macro.name === word)?.view ?? word;
		return own.find(({ name }) => name === view);
	};
	const qualified = new Map<string, ViewSchema>(
		databases.flatMap(({ name, views }) => views.map((view) => [`${name}.${view.name}`, view] as const)),
	);
	return (context: CompletionContext): CompletionResult | null => {
		const word = context.matchBefore(/[a-z_]\w*$/i);
		if (word === null && !context.explicit) return null;
		const from = word?.from ?? context.pos;
		if (context.state.sliceDoc(from - 1, from) === ".") return null;
		const named =
			context.state.doc
				.toString()
				.toLowerCase()
				.match(/[a-z_]\w*(\.[a-z_]\w*)?/g) ?? [];
		const views = new Set([...new Set(named)].flatMap((name) => qualified.get(name) ?? behind(name) ?? []));
		const options = new Map(
			[...views].flatMap(({ columns }) => columns.map((column) => [column.name, column] as const)),
		);
		return { from, options: [...options.values()].map(columnOption), validFor: /^\w*$/ };
	};
}
