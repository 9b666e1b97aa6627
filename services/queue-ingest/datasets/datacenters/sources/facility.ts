/** A data centre as the lists of facilities state it, in the words of the table that it is stored in. Pure. */
import { createHash } from "node:crypto";
import type { DatacenterStatus, PlacePrecision } from "#libs/contract/vocabulary.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { Dropped } from "../../../sources/source.ts";

export interface FacilityRow {
	id: string;
	name: string | null;
	/** Key for comparing names; null where there is nothing to compare. */
	name_key: string | null;
	operator: string | null;
	status: DatacenterStatus | null;
	status_filed: string | null;
	facility_type: string | null;
	address: string | null;
	address_key: string | null;
	city: string | null;
	county: string | null;
	state: string;
	lat: number | null;
	lon: number | null;
	location_precision: PlacePrecision | null;
	capacity_mw: number | null;
	energy_low_mwh_year: number | null;
	energy_high_mwh_year: number | null;
	market: string | null;
	year_opened: number | null;
}

/** Fields that a list does not state. */
export const unstated = {
	name: null,
	name_key: null,
	operator: null,
	status: null,
	status_filed: null,
	facility_type: null,
	address: null,
	address_key: null,
	city: null,
	county: null,
	lat: null,
	lon: null,
	location_precision: null,
	capacity_mw: null,
	energy_low_mwh_year: null,
	energy_high_mwh_year: null,
	market: null,
	year_opened: null,
} as const satisfies Omit<FacilityRow, "id" | "state">;

/** Says nothing of which one it is. */
const generic = new Set(
	"data center centers centre centres datacenter datacenters campus facility the llc inc".split(" "),
);

/** Names that differ in case, punctuation and words like "data center" are one; null when nothing else is left. */
export function nameKey(name: string): string | null {
	const words = plainWords(name).filter((word) => !generic.has(word));
	return words.length === 0 ? null : words.join(" ");
}

const shortened = new Map(
	Object.entries({
		...{ street: "st", avenue: "ave", av: "ave", road: "rd", drive: "dr", boulevard: "blvd", lane: "ln", court: "ct" },
		...{ circle: "cir", parkway: "pkwy", highway: "hwy", place: "pl", suite: "ste", north: "n", south: "s", east: "e" },
		west: "w",
	}),
);

/** Null for what is no address of a building: a postal code, a street without a number. */
export function addressKey(address: string | null): string | null {
	const words = plainWords(address ?? "").map((word) => shortened.get(word) ?? word);
	return words.length >= 2 && /\d/.test(words.join("")) ? words.join(" ") : null;
}

const plainWords = (text: string): string[] =>
	text
		.normalize("NFD")
		.toLowerCase()
		.replace(/\p{M}/gu, "")
		.split(/[^a-z0-9]+/)
		.filter((word) => word !== "");

/**
 * Ids that outlive an edition: by what a row says of itself, with its place among the rows that say the same. `prefix` names the
 * sources apart.
 */
export function idsOf(prefix: string): (...parts: (string | null)[]) => string {
	const seen = new Map<string, number>();
	return (...parts) => {
		const said = parts.map((part) => part?.toLowerCase() ?? "").join("\n");
		const place = (seen.get(said) ?? 0) + 1;
		seen.set(said, place);
		return `${prefix}${createHash("sha256").update(`${said}\n${place}`).digest("hex").slice(0, 10)}`;
	};
}

/** Rows kept and dropped, with the reasons that speak of a broken file rather than of a row that is not wanted. */
export class Rows<T> extends RowAccount<T> {
	readonly #malformed = new Set<string>();

	dropMalformed(reason: string, label: string | null): void {
		this.#malformed.add(reason);
		this.drop(reason, label);
	}

	get account(): Dropped[] {
		return this.dropped.map((note) => ({
			...note,
			...(this.#malformed.has(note.reason) && { malformed: true as const }),
		}));
	}
}
