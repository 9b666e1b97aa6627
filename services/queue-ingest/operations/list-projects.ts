import { z } from "zod";
import type { Handler, Params, Reply, Versioned } from "#libs/contract/index.ts";
import type { Start } from "#libs/postgres/page-starts.ts";
import { Pages } from "#libs/postgres/pages.ts";
import type { Resources } from "../resources.ts";
import { readAsOf } from "./as-of.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import type { Moments } from "./moments.ts";
import { type Page, readPage } from "./project-page.ts";

export function listProjects({ sql, moments }: Resources): Handler<"listProjects"> {
	const pages = new Pages<string>();
	return async (params) => {
		if (params.cursor !== undefined) return walkProjects(moments, params, params.cursor);
		const { page, per_page, sort, order, cursor, ...filters } = params;
		// Only ids are in an index that pages are read from: other orders sort everything that passes the filters.
		const asked = { filters, order, row: (page - 1) * per_page, seeks: sort === "id" };
		const found = await pages.read(asked, (reading) => readPage(sql, params, reading));
		const { total, version } = found;
		return { json: written(found, { total, page, per_page }), dataVersion: version };
	};
}

/** What a cursor holds: the moment, the next page, the id after which it begins (null where the order is not by id), rows of the whole walk. */
const cursorFields = z.tuple([
	z.string(),
	z.int().min(0),
	z.int().min(1),
	z
		.string()
		.refine((id) => !id.includes("\u0000"))
		.nullable(),
	z.int().min(0),
]);

/** The next page of a walk, as of the moment in which the walk began. */
async function walkProjects(
	moments: Moments,
	given: Params<"listProjects">,
	text: string,
): Promise<Versioned<Reply<"listProjects">>> {
	const { page: _, cursor: __, ...asked } = given;
	const question = JSON.stringify(asked);
	const begun = text === "*" ? undefined : readCursor(question, text, cursorFields);
	const [snapshot, version, page, after, known] = begun ?? ["", 0, 1, null, undefined];
	const { per_page } = given;
	const start: Start<string> | undefined = after === null ? undefined : [(page - 1) * per_page, after];
	const { moment, found } = await readAsOf(moments, begun && { snapshot, dataVersion: version }, (tx) =>
		readPage(tx, { ...given, page }, { counted: known === undefined, start }),
	);
	const total = known ?? found.total ?? 0;
	const last = found.starts?.at(-1)?.[1] ?? null;
	const next: z.input<typeof cursorFields> = [moment.snapshot, moment.dataVersion, page + 1, last, total];
	const nextCursor = page * per_page < total ? writeCursor(question, next) : null;
	return { json: written(found, { total, page, per_page, nextCursor }), dataVersion: moment.dataVersion };
}

interface Meta {
	total: number;
	page: number;
	per_page: number;
	nextCursor?: string | null;
}

function written({ rows }: Pick<Page, "rows">, { nextCursor, ...meta }: Meta): Buffer {
	const { total, per_page } = meta;
	const shown = {
		...meta,
		pages: Math.ceil(total / per_page),
		...(nextCursor !== undefined && { next_cursor: nextCursor }),
	};
	return Buffer.concat([Buffer.from('{"data":['), rows, Buffer.from(`],"meta":${JSON.stringify(shown)}}`)]);
}
