import { notFound } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import { provenanceRules } from "#libs/contract/operations/quality/provenance-rules.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { resolveProjectId } from "../../queues/operations/get-project.ts";
import type { Resources } from "../../resources.ts";
import { cellsOf, type OwnerOrigin, ownersOf, withoutDamaged } from "../owners.ts";
import { DamagedArchive, KeptCells } from "../read-rows.ts";
import { keptSchedules, readSchedule } from "../schedule-rows.ts";
import { rowReader, verify } from "../verify.ts";

/** Never from cached cells, because the archive itself may have been damaged since. */
export function verifyValue(resources: Resources): Handler<"verifyValue"> {
	const { sql } = resources;
	return async ({ project_id, region, field, ...asOf }) => {
		checkDay(resources, asOf);
		const dataVersion = await readDataVersion(sql);
		const id = await resolveProjectId(sql, project_id, region);
		const reply =
			field === "owners"
				? await verifyOwners(sql, { id, ...asOf })
				: await verify(sql, new KeptCells(sql), rowReader(sql), { id, field, ...asOf });
		return { json: JSON.stringify(reply), dataVersion };
	};
}

/** `stored` and `read_again` have a line of each generator and owner: "1: Larkspur Holdings LLC, 0.5". @throws AppError 404 where no owners are known */
async function verifyOwners(sql: Sql, at: { id: string } & AsOf): Promise<Reply<"verifyValue">> {
	// Reads each file once, for this response only: the archive may be damaged since.
	const read = keptSchedules(readSchedule(sql));
	const known = await ownersOf(sql, at, read, withoutDamaged);
	const first = known.find(({ file }) => file !== null);
	if (first?.file == null)
		throw notFound(`the plant of ${at.id} has no recorded owners, or their source file is unknown`);
	const stored = known.map(({ generator, name, fraction }) => lineOf(generator, name, fraction));
	const about = { project_id: at.id, field: "owners", stored, sha256: first.file.sha256, file: first.file.name };
	try {
		await ownersOf(sql, at, read, (error) => {
			throw error;
		});
	} catch (error) {
		if (!(error instanceof DamagedArchive)) throw error;
		return { ...about, read_again: null, agrees: false, archive: "damaged", cell: null };
	}
	const read_again = known.flatMap((owner) => {
		const { cell } = cellsOf(owner);
		return cell.raw === null ? [] : [lineOf(owner.generator, cell.raw, shareOf(owner))];
	});
	const agrees = JSON.stringify(read_again) === JSON.stringify(stored);
	return { ...about, read_again, agrees, archive: "intact", cell: cellsOf(first).cell };
}

const lineOf = (generator: string, name: string, share: number | null): string => `${generator}: ${name}, ${share}`;

/** Share from 0 to 1, also where the year has percentages. An operator that Schedule 4 does not list owns all. */
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
