/** Finds the rows with the owners of a request's plant in archived files of Form EIA-860. */
import { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import { text } from "#libs/files/values.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { ownedUnits } from "../queues/operations/get-ownership.ts";
import { fileName } from "../sources/archive.ts";
import { type FoundCell, noCell } from "./cells-of-field.ts";
import { DamagedArchive } from "./read-rows.ts";
import { findPlantRows, type ReadSchedule, type ScheduleRow } from "./schedule-rows.ts";

type Row = Reply<"getProjectProvenance">["data"][number];
type Files = Reply<"getProjectProvenance">["files"];

/** An owner of a generator in the last year with reported owners. */
export interface OwnerOrigin {
	generator: string;
	name: string;
	fraction: number;
	stated: boolean;
	file: Files[number] | null;
	row: ScheduleRow | undefined;
	evidence: NonNullable<Row["evidence"]>;
}

interface Unit {
	plant_id: number;
	generator_id: string;
	stated: boolean;
	owners: { name: string; fraction: number }[];
	evidence: OwnerOrigin["evidence"];
	files: (Files[number] & { schedule: string })[] | null;
}

/** Maximum generators read of a plant. No plant has this many. */
const maxUnits = 1_000;

type ReadErrorHandler = (error: unknown) => undefined;

export const ignoreDamaged: ReadErrorHandler = (error) => {
	if (error instanceof DamagedArchive) return undefined;
	throw error;
};

/** Omits the rows of a file that cannot be read now, for responses in which owners are only a part. */
export const ignoreUnreadable: ReadErrorHandler = (error) =>
	error instanceof AppError && error.status === 503 ? undefined : ignoreDamaged(error);

export async function findOwners(
	sql: Sql,
	{ id, ...asOf }: { id: string } & AsOf,
	read: ReadSchedule,
	onError: ReadErrorHandler,
): Promise<OwnerOrigin[]> {
	const units = await sql<Unit[]>`
		${ownedUnits(sql, id, asOf)}
		select u.plant_id, u.generator_id, u.body ->> 'source' = 'eia_860_ownership' as stated, u.body -> 'owners' as owners,
			json_build_object('method', l.method, 'confidence', l.confidence, 'text', 'EIA plant ' || l.plant_id || ': ' || l.evidence) as evidence,
			(select json_agg(json_build_object('schedule', e.schedule, 'sha256', e.sha256, 'name', ${fileName(sql, sql`f.name`)}, 'feed', f.feed, 'url', f.url,
				'loaded_at', iso(e.loaded_at), 'published_on', e.published_on, 'as_of', iso(make_date(e.year, 12, 31)::timestamptz),
				'snapshot_id', f.snapshot_id)
				order by array_position(array['owner', 'plant', 'generator', 'solar', 'wind', 'storage', 'multifuel'], e.schedule))
				from eia_schedules e cross join lateral (
					select name, feed, url, snapshot_id from snapshot_files f where f.sha256 = e.sha256 and feed is not null
					order by snapshot_id desc limit 1) f
				where e.year = u.year) as files
		from units u cross join linked l order by u.generator_id limit ${maxUnits}`;
	const found: OwnerOrigin[] = [];
	for (const unit of units) {
		const wanted = unit.files?.filter(({ schedule }) => (schedule === "owner") === unit.stated) ?? [];
		for (const owner of unit.owners) {
			const { generator_id: generator, stated, evidence } = unit;
			const origin = await findRow(unit, owner, wanted, (file) => read(file).catch(onError));
			found.push({ ...{ generator, name: owner.name, fraction: owner.fraction, stated, evidence }, ...origin });
		}
	}
	return found;
}

/** Finds the first file with a row of the owner. An operator is searched in the schedule of plants, then in those of generators. */
async function findRow(
	{ plant_id, generator_id, stated }: Unit,
	{ name }: Unit["owners"][number],
	files: NonNullable<Unit["files"]>,
	read: (file: Files[number]) => Promise<Awaited<ReturnType<ReadSchedule>> | undefined>,
): Promise<Pick<OwnerOrigin, "file" | "row">> {
	for (const { schedule: _, ...file } of files) {
		const sheets = await read(file);
		if (sheets === undefined) return { file, row: undefined };
		const row = findPlantRows(sheets, plant_id).find(
			({ generator, cells }) =>
				(generator === null || generator === generator_id) &&
				text((stated ? cells.owner : cells.operator)?.raw) === text(name),
		);
		if (row !== undefined) return { file, row };
	}
	return { file: null, row: undefined };
}

export function cellsOf({ row, stated }: OwnerOrigin): { cell: FoundCell; inputs: FoundCell[] } {
	const { owner, operator, share, plant, generator } = row?.cells ?? {};
	const inputs = [stated ? share : undefined, plant, generator].filter((cell) => cell !== undefined);
	return { cell: (stated ? owner : operator) ?? noCell, inputs };
}

export function rowOfOwner(owner: OwnerOrigin, see: string): Row {
	const { cell, inputs } = cellsOf(owner);
	return {
		...{ field: "owners", value: owner.name, file: owner.file?.name ?? null, sha256: owner.file?.sha256 ?? null },
		...cell,
		rule: owner.stated ? "owners.schedule_4" : "owners.operator",
		confidence: owner.stated && cell.raw !== null ? 1 : null,
		...{ inputs, facts: [], citations: [], overruled: [], evidence: owner.evidence, see },
	};
}

export const filesOfOwners = (owners: readonly OwnerOrigin[]): Files => [
	...new Map(owners.flatMap(({ file }) => (file === null ? [] : [[file.sha256, file] as const]))).values(),
];
