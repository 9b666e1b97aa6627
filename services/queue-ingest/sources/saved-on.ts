import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { date } from "#libs/files/values.ts";

/**
 * The day a workbook was last saved by its own properties, `YYYY-MM-DD`: the last resort for a list that states no date (CAISO's
 * Cluster 15). Null for anything that says none.
 */
export async function savedOn(bytes: Uint8Array): Promise<string | null> {
	if (!isZip(bytes)) return null;
	const limits = { maxInflatedBytes: 1 << 20, maxEntries: 2000 };
	try {
		const { entries } = await inflateArchive(bytes, (name) => name === "docProps/core.xml", limits);
		const properties = entries.get("docProps/core.xml")?.toString("utf8") ?? "";
		return date(/<dcterms:modified[^>]*>([^<]+)</.exec(properties)?.[1]);
	} catch {
		return null;
	}
}
