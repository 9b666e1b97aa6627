/** Finds the company behind requests whose filed name is no developer's, and stores it with its evidence. */
import { normaliseName } from "#libs/names/normalise.ts";
import { tidyName } from "#libs/names/tidy-name.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { type Behind, behindFamilies, behindFiled, behindPlant } from "../behind-request.ts";
import { addDevelopers } from "./link-names.ts";
import { rateTiers } from "./rate-tiers.ts";
import { readCompanies, readLinkedPlants } from "./read-companies.ts";

interface Unnamed {
	id: string;
	filed: string | null;
}

/**
 * All requests anew: whose a series of companies is depends on the others. Expects the links to plants, and the schema-wide write lock. Costs one
 * look where nothing of the EIA is loaded. The requests themselves are not rewritten here. Answers whether it looked.
 */
export async function linkRequests(tx: Transaction): Promise<boolean> {
	const [any] = await tx<{ exists: boolean }[]>`
		select exists (select from eia_schedules) or exists (select from grid_units)
			or exists (select from project_developers) as exists`;
	if (any?.exists !== true) return false;
	const unnamed = await tx<Unnamed[]>`
		select id, developer as filed from projects p
		where kind = 'generation' and not exists (select from named_developers n where n.raw_name = p.developer) order by id`;
	await writeLinks(tx, await findCompanies(tx, unnamed));
	await rateTiers(tx);
	return true;
}

async function findCompanies(tx: Transaction, unnamed: readonly Unnamed[]): Promise<Map<string, Behind>> {
	const { book, isCompany } = await readCompanies(tx);
	const plants = await readLinkedPlants(
		tx,
		unnamed.map(({ id }) => id),
	);
	const found = new Map<string, Behind>();
	for (const { id, filed } of unnamed) {
		const plant = plants.get(id);
		const behind =
			(filed === null ? undefined : behindFiled(filed, book)) ??
			(plant === undefined ? undefined : behindPlant(plant, book, isCompany));
		if (behind !== undefined) found.set(id, behind);
	}
	const families = unnamed.map(({ id, filed }) => ({ id, family: filed === null ? null : familyOf(filed) }));
	for (const [id, behind] of behindFamilies(families, found)) found.set(id, behind);
	return found;
}

const counts = /^(\d+|[ivx]+|one|two|three|four|five|phase)$/;

/** "ip lumina bess" of "IP Lumina II BESS, LLC"; null for a name of few letters, which series of several sponsors can share. */
function familyOf(filed: string): string | null {
	const words = normaliseName(filed).fullKey.split(" ");
	const family = words.filter((word) => !counts.test(word)).join(" ");
	return family.length < 8 || normaliseName(filed).distinctKey === "" ? null : family;
}

async function writeLinks(tx: Transaction, found: ReadonlyMap<string, Behind>): Promise<void> {
	const unknown = [...found.values()].flatMap(({ developerId, company }) => (developerId === null ? company : []));
	const named = [...new Set(unknown)].map((name) => ({ name, found: { kind: "new" as const, name: tidyName(name) } }));
	const added = await addDevelopers(tx, named);
	const rows = [...found].flatMap(([project_id, behind]) => {
		const developer_id = behind.developerId ?? added.get(normaliseName(behind.company).fullKey);
		if (developer_id === undefined) return [];
		const { method, confidence, company, evidence, plantId } = behind;
		return { project_id, developer_id, method, confidence, company, evidence, plant_id: plantId };
	});
	await tx`delete from project_developers`;
	await tx`
		insert into project_developers (project_id, developer_id, method, confidence, company, evidence, plant_id)
		select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as t (project_id text, developer_id integer,
			method text, confidence float8, company text, evidence text, plant_id integer)`;
}
