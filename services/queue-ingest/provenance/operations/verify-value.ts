import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { provenanceRules } from "#libs/contract/operations/quality/provenance-rules.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { resolveProjectId } from "../../queues/operations/get-project.ts";
import type { Resources } from "../../resources.ts";
import { cellsOf, findOwners, ignoreDamaged, type OwnerOrigin } from "../owners.ts";
import { CellCache, DamagedArchive } from "../read-rows.ts";
import { cacheSchedules, readSchedule } from "../schedule-rows.ts";
import { createRowReader, verify } from "../verify.ts";

/** Reads the archived file again instead of cached cells, because the archive may have been damaged since. */
export function verifyValue(resources: Resources): Handler<"verifyValue"> {
	const { sql } = resources;
	return async ({ project_id, region, field, ...asOf }) => {
		checkDay(resources, asOf);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveProjectId(sql, project_id, region);
		const reply =
			field === "owners"
				? await verifyOwners(sql, { id, ...asOf })
				: await verify(sql, new CellCache(sql), createRowReader(sql), { id, field, ...asOf });
		return { json: JSON.stringify(reply), dataVersion };
	};
}

/** `stored` and `read_again` have a line for each generator and owner: "1: Larkspur Holdings LLC, 0.5". @throws AppError 404 if no owners are known */
async function verifyOwners(sql: Sql, at: { id: string } & AsOf): Promise<Reply<"verifyValue">> {
	// Caches files for this response only, because the archive may be damaged later.
	const read = cacheSchedules(readSchedule(sql));
	const owners = await findOwners(sql, at, read, ignoreDamaged);
	const first = owners.find(({ file }) => file !== null);
	if (first?.file == null)
		throw notFound(`the plant of ${at.id} has no recorded owners, or their source file is unknown`);
	const stored = owners.map(({ generator, name, fraction }) => toLine(generator, name, fraction));
	const result = { project_id: at.id, field: "owners", stored, sha256: first.file.sha256, file: first.file.name };
	try {
		await findOwners(sql, at, read, (error) => {
			throw error;
		});
	} catch (error) {
		if (!(error instanceof DamagedArchive)) throw error;
		return { ...result, read_again: null, agrees: false, archive: "damaged", cell: null };
	}
	const read_again = owners.flatMap((owner) => {
		const { cell } = cellsOf(owner);
		return cell.raw === null ? [] : [toLine(owner.generator, cell.raw, shareOf(owner))];
	});
	const agrees = JSON.stringify(read_again) === JSON.stringify(stored);
	return { ...result, read_again, agrees, archive: "intact", cell: cellsOf(first).cell };
}

const toLine = (generator: string, name: string, share: number | null): string => `${generator}: ${name}, ${share}`;

/** Returns the share from 0 to 1, even if the year's file has percentages. If Schedule 4 does not list the generator, its operator owns all of it. */
function shareOf({ stated, fraction, row }: OwnerOrigin): number | null {
	if (!stated) return 1;
	const raw = row?.cells.share?.raw ?? null;
	if (raw === null) return null;
	const share = Math.round(Number(raw) * 1e6) / 1e6;
	return share === Math.round(fraction * 1e8) / 1e6 ? fraction : share;
}

export function listProvenanceRules({ sql }: Resources): Handler<"listProvenanceRules"> {
	const data = Object.entries(provenanceRules).map(([rule, sentence]) => ({ rule, sentence }));
	return async () => ({ json: JSON.stringify({ data }), dataVersion: await readDataVersion(sql) });
}
