/** Reads the tracker of proposed data centers (`proposals.csv`, trackdatacenters.com). Its descriptions are its own work, so they are not stored. Pure. */
import type { DatacenterStatus, PlacePrecision } from "#libs/contract/vocabulary.ts";
import { readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number, text } from "#libs/files/values.ts";
import { field, type RecordOf, recordReader, textOrEmpty, yearOf } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { locate } from "../../../sources/geography/geography.ts";
import { replaceEdition } from "../../../sources/insert-rows.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createIdGenerator, stateOf, withHeaders } from "./facility.ts";
import { isInState } from "./place.ts";

const required = [["id"], ["name"], ["phase"], ["state"], ["capacity_mw"], ["companies"]];

export const proposals: Dataset<ProposalRow> = {
	feed: "datacenter-proposals",
	database: "datacenter",
	title: "Proposed data centers (trackdatacenters.com)",
	layout: { formats: "CSV", verified: "2026-08" },
	maxAgeHours: 4_380,
	unlicensed: true,
	maxBytes: 16 * 1024 * 1024,
	recognises: withHeaders("phase", "companies", "landsold"),
	parse: async (file) => readProposals(file),
	keptIn: { table: "datacenter_proposals" },
	write: replaceEdition("datacenter_proposals"),
};

/** The tracker's phases. An expansion is an operating site that grows; the tracker does not state the progress. */
const phases = new Map(
	Object.entries<DatacenterStatus>({
		preliminary: "proposed",
		proposed: "proposed",
		expansion: "proposed",
		approved: "approved",
		construction: "construction",
		operational: "operating",
		delayed: "delayed",
		withdrawn: "withdrawn",
		rejected: "denied",
	}),
);

const fields = {
	/** "Data Center", "Site Advertisement", "Zoning Ordinance": the tracker's name for the kind of proposal. */
	proposal_type: field(known, "type"),
	status: field(known, "phase"),
	outcome_detail: field(known, "outcome_detail"),
	companies: field(companiesOf, "companies"),
	town: field(known, "towns"),
	address: field(known, "address"),
	size_acres: field(acresOf, "size_acres"),
	announced: field(announcedOf, "date"),
	opening_year: field((cell) => yearOf(text(cell)?.slice(0, 4)), "yearOpened"),
	zoning_allowed: field(parseBoolean, "zoningAllowance"),
	land_sold: field(parseBoolean, "landSold"),
	own_generation: field(parseBoolean, "bringingOwnEnergy"),
	updated_on: field(date, "lastUpdated"),
};

const otherFields = {
	number: field(textOrEmpty, "id"),
	title: field(known, "name"),
	state: field(stateOf, "state"),
	county: field(known, "counties"),
	lat: field(number, "lat"),
	lon: field(number, "lon"),
	capacity: field(megawatts, "capacity_mw"),
	info: field(textOrEmpty, "info"),
	isApproximate: field(parseBoolean, "approx"),
	isUndecided: field(parseBoolean, "locationTbd"),
	saved: field(date, "updatedAt"),
};

/** Unusable columns: "scale" is in megawatts or acres, or zero; "status" is always empty, and the numbers of jobs nearly always. */
const ignored = ["status", "scale", "jobsConstruction", "jobsLongTerm", "jobsTotal", "moratoriumExempt", "createdAt"];

export function readProposals({ name, bytes }: RawFile): DatasetFile<ProposalRow> {
	const table = new HeadedTable(readCsv(bytes, name), required, 1);
	const [read, readOtherFields] = [recordReader(table, fields), recordReader(table, otherFields)];
	table.ignore(...ignored);
	const account = new RowAccount<ProposalRow>();
	const seen = new Set<string>();
	const numbers = new Set<string>();
	// The tracker has assigned some numbers twice: the ids of later rows also contain a hash of the name and the state.
	const createId = createIdGenerator("");
	let newest: string | null = null;
	for (const row of dataRows(table)) {
		const otherValues = readOtherFields(row);
		const { number, title, state, saved } = otherValues;
		if (!/^\d{1,9}$/.test(number) || title === null) account.drop("no number or no name", title ?? number, "malformed");
		else if (state === null) account.drop("not in the US", title);
		else if (seen.has(JSON.stringify(row))) account.drop("exact repeat of another row", title);
		else {
			seen.add(JSON.stringify(row));
			const stated = read(row);
			const phase = stated.status?.toLowerCase() ?? "";
			if (stated.status !== null && !phases.has(phase)) account.unknown("phase", stated.status);
			const id = numbers.has(number) ? `DCP-${number}-${createId(title, state).slice(0, 4)}` : `DCP-${number}`;
			numbers.add(number);
			account.keep({
				...stated,
				id,
				name: title,
				status_std: phases.get(phase) ?? null,
				...locationOf(otherValues, state),
			});
			if (saved !== null && (newest === null || saved > newest)) newest = saved;
		}
	}
	return { edition: "current", publishedOn: newest, ...account.file(table) };
}

type ProposalRow = RecordOf<typeof fields> &
	ReturnType<typeof locationOf> & { id: string; name: string; status_std: DatacenterStatus | null };

/** Omits coordinates that are 0, 0 or in another state. The county's center is not used instead, because it would look like the site. */
function locationOf({ county, lat, lon, capacity, info, ...flags }: RecordOf<typeof otherFields>, state: string) {
	const place = locate(county, state, null);
	const isPlausible = lat !== null && lon !== null && isInState({ lat, lon }, state);
	const precision: PlacePrecision = flags.isApproximate === true || flags.isUndecided === true ? "area" : "site";
	return {
		...{ county: place.county, counties: place.counties, state, capacity_mw: capacityOf(capacity, info) },
		...(isPlausible ? { lat, lon, location_precision: precision } : { lat: null, lon: null, location_precision: null }),
	};
}

/** Returns megawatts. If the description contains the same number in gigawatts ("1.2 GW"), the filed number is in gigawatts, too. */
function capacityOf(filed: number | null, info: string): number | null {
	if (filed === null || filed >= 20) return filed;
	const inGigawatts = [...info.matchAll(/(\d+(?:\.\d+)?)[\s-]*(?:GW\b|gigawatts?\b)/gi)].map(([, value]) =>
		Number(value),
	);
	return inGigawatts.includes(filed) ? Math.round(filed * 1000) : filed;
}

function companiesOf(cell: Cell): string[] {
	const companies = (known(cell) ?? "").split(";").map((company) => company.trim());
	return companies.filter((company) => company !== "" && !/^(undisclosed|unknown)\b/i.test(company));
}

function acresOf(cell: Cell): number | null {
	const acres = number(cell);
	return acres !== null && acres > 0 ? acres : null;
}

/** Returns "2026-03" for "2026-3", and other text ("Early 2025") as filed. */
function announcedOf(cell: Cell): string | null {
	const filed = known(cell);
	const [, year, month, day] = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(filed ?? "") ?? [];
	if (year === undefined || month === undefined) return filed?.slice(0, 40) ?? null;
	return [year, month, day].flatMap((part) => (part === undefined ? [] : part.padStart(2, "0"))).join("-");
}

/** Parses "TRUE" and "false"; returns null for anything else ("unknown"). */
function parseBoolean(cell: Cell): boolean | null {
	const filed = text(cell)?.toLowerCase();
	return filed === "true" ? true : filed === "false" ? false : null;
}
