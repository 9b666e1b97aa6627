/** What the columns of a result mean, as the manifests of the loaded extracts describe the views that they come from. */
import type { Reply } from "#libs/contract/index.ts";
import type { Outcome } from "./child/frames.ts";
import type { Loaded } from "./extracts/extracts.ts";

type Columns = Reply<"runStatement">["meta"]["columns"];

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\b.*)$/;

/** A column as a view has it has its unit, source and description; a number made of one has its unit alone. */
export function describeColumns(
	{ columns, origins }: Extract<Outcome, { kind: "answer" }>,
	{ views }: Loaded,
): Columns {
	return columns.map(({ name, type }, place) => {
		// Of what is not known JSON has null.
		const origin = origins[place] ?? undefined;
		const view = views.find((each) => each.database === origin?.database && each.name === origin.view);
		const column = view?.columns.find((each) => each.name === origin?.column);
		if (origin === undefined || column === undefined)
			return { name, type, unit: null, source: null, description: null };
		if (!origin.plain || column.type !== type)
			return { name, type, unit: numeric.test(type) ? column.unit : null, source: null, description: null };
		const source = `${origin.database}.${origin.view}.${origin.column}`;
		return { name, type, unit: column.unit, source, description: column.description };
	});
}
