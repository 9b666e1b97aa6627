/** Links the owners of plants to developers of the register by their names. */
import { normaliseName } from "#libs/names/normalise.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import type { OwnerName } from "../../history/events/record-ownership.ts";
import { correctedNames, loadResolver } from "./link-names.ts";

/** The known developer of each name that is one's, and its parent company. */
export async function resolveOwners(tx: Transaction, names: string[]): Promise<OwnerName[]> {
	const resolver = await loadResolver(tx);
	const rows = await tx<{ id: number; canonical: string; parent: string | null }[]>`
		select developer_id as id, canonical_name as canonical, parent_company as parent from developers where known`;
	const known = new Map(rows.map((row) => [row.id, row]));
	const corrected = await correctedNames(tx);
	return names.flatMap((name) => {
		const key = normaliseName(name).fullKey;
		const found = resolver.resolve(name);
		const byRules = found.kind === "matched" ? found.developerId : null;
		const developer = known.get((corrected.has(key) ? corrected.get(key) : byRules) ?? 0);
		return developer === undefined ? [] : [{ name, canonical: developer.canonical, parent: developer.parent }];
	});
}
