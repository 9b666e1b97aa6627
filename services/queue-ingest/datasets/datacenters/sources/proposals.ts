/** The tracker of proposed data centres (`proposals.csv`, from trackdatacenters.com). Pure. Its descriptions are not stored: they are its own. */

import type { DatacenterStatus } from "#libs/contract/vocabulary.ts";
import { findState } from "#libs/counties/table.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts, number, text } from "#libs/files/values.ts";
import { yearOf } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { locate } from "../../../sources/geography/geography.ts";
import type { RawFile } from "../../../sources/source.ts";
import { idsOf, Rows } from "./facility.ts";
import { isInState } from "./place.ts";
import { type ProposalRow, writeProposals } from "./write.ts";

const required = [["id"], ["name"], ["phase"], ["state"], ["capacity_mw"], ["companies"]];

export const proposals: Dataset<ProposalRow> = {
	feed: "datacenter-proposals",
	database: "datacenter",
	title: "Proposed data centres (trackdatacenters.com)",
	maxAgeHours: 4_380,
	maxBytes: 16 * 1024 * 1024,
	recognises: (file) => {
		const names = csvHeaderNames(file.bytes);
		return names.has("phase") && names.has("companies") && names.has("landsold");
	},
	parse: async (file) => readProposals(file),
	keptIn: { table: "datacenter_proposals" },
	write: (tx, file, provenance) => writeProposals(tx, proposals.feed, file, provenance),
};

/** The tracker's phases. An expansion is an operating site that grows: how far the growth has come it does not say. */
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

export function readProposals({ name, bytes }: RawFile): DatasetFile<ProposalRow> {
	const table = new HeadedTable(readCsv(bytes, name), required, 1);
	const at = columnsOf(table);
	const rows = new Rows<ProposalRow>();
	const filed = dataRows(table);
	const seen = new Set<string>();
	const numbers = new Set<string>();
	// The tracker has given some numbers twice: rows behind the first are distinguished by their names.
	const ids = idsOf("");
	const unknown = new Map<string, number>();
	let newest: string | null = null;
	for (const row of filed) {
		const number = text(row[at.id]) ?? "";
		const title = known(row[at.name]);
		const state = findState(text(row[at.state]) ?? "")?.state;
		if (!/^\d{1,9}$/.test(number) || title === null) rows.dropMalformed("no number or no name", title ?? number);
		else if (state === undefined) rows.drop("not in the US", title);
		else if (seen.has(JSON.stringify(row))) rows.drop("exact repeat of another row", title);
		else {
			seen.add(JSON.stringify(row));
			const phase = known(row[at.phase]);
			if (phase !== null && phases.get(phase.toLowerCase()) === undefined)
				unknown.set(phase, (unknown.get(phase) ?? 0) + 1);
			const isShared = numbers.has(number);
			numbers.add(number);
			const id = isShared ? `DCP-${number}-${ids(title, state).slice(0, 4)}` : `DCP-${number}`;
			rows.keep({ ...proposal(row, at, state), id, name: title });
			const saved = date(row[at.saved]);
			if (saved !== null && (newest === null || saved > newest)) newest = saved;
		}
	}
	return {
		...{ edition: "current", publishedOn: newest, rowsIn: rows.rowsIn, rows: rows.kept, dropped: rows.account },
		unknownValues: [...unknown].map(([value, count]) => ({ field: "phase", value, count })),
		unknownColumns: table.leftovers(),
	};
}

function columnsOf(table: HeadedTable) {
	// "scale" holds megawatts, acres or zero; the counts of jobs are nearly all empty; "status" is.
	table.ignore("status", "scale", "jobsConstruction", "jobsLongTerm", "jobsTotal", "moratoriumExempt", "createdAt");
	return {
		id: table.column("id"),
		name: table.column("name"),
		type: table.column("type"),
		phase: table.column("phase"),
		outcome: table.column("outcome_detail"),
		state: table.column("state"),
		town: table.column("towns"),
		county: table.column("counties"),
		address: table.column("address"),
		lat: table.column("lat"),
		lon: table.column("lon"),
		acres: table.column("size_acres"),
		capacity: table.column("capacity_mw"),
		announced: table.column("date"),
		updated: table.column("lastUpdated"),
		opening: table.column("yearOpened"),
		companies: table.column("companies"),
		zoning: table.column("zoningAllowance"),
		land: table.column("landSold"),
		generation: table.column("bringingOwnEnergy"),
		approximate: table.column("approx"),
		undecided: table.column("locationTbd"),
		info: table.column("info"),
		saved: table.column("updatedAt"),
	};
}

function proposal(row: Cell[], at: ReturnType<typeof columnsOf>, state: string): Omit<ProposalRow, "id" | "name"> {
	const phase = known(row[at.phase]);
	const place = locate(known(row[at.county]), state, null);
	const acres = number(row[at.acres]);
	return {
		proposal_type: known(row[at.type]),
		status_std: phases.get(phase?.toLowerCase() ?? "") ?? null,
		status: phase,
		outcome_detail: known(row[at.outcome]),
		capacity_mw: capacityOf(row[at.capacity], text(row[at.info]) ?? ""),
		companies: companiesOf(known(row[at.companies])),
		town: known(row[at.town]),
		address: known(row[at.address]),
		...{ county: place.county, counties: place.counties, state },
		...pointOf(row, at, state),
		size_acres: acres !== null && acres > 0 ? acres : null,
		announced: announcedOf(known(row[at.announced])),
		opening_year: yearOf(text(row[at.opening])?.slice(0, 4)),
		zoning_allowed: answerOf(row[at.zoning]),
		land_sold: answerOf(row[at.land]),
		own_generation: answerOf(row[at.generation]),
		updated_on: date(row[at.updated]),
	};
}

/** Megawatts; where the description states the very number in gigawatts ("1.2 GW"), it was copied without its unit. */
function capacityOf(cell: Cell, info: string): number | null {
	const filed = megawatts(cell);
	if (filed === null || filed >= 20) return filed;
	const inGigawatts = [...info.matchAll(/(\d+(?:\.\d+)?)[\s-]*(?:GW\b|gigawatts?\b)/gi)].map(([, value]) =>
		Number(value),
	);
	return inGigawatts.includes(filed) ? Math.round(filed * 1000) : filed;
}

/** The centre of a county, where the tracker gives the null island or a place in another state, would pretend to know the site. */
function pointOf(
	row: Cell[],
	at: ReturnType<typeof columnsOf>,
	state: string,
): Pick<ProposalRow, "lat" | "lon" | "location_precision"> {
	const lat = number(row[at.lat]);
	const lon = number(row[at.lon]);
	if (lat === null || lon === null || !isInState({ lat, lon }, state))
		return { lat: null, lon: null, location_precision: null };
	const isVague = answerOf(row[at.approximate]) === true || answerOf(row[at.undecided]) === true;
	return { lat, lon, location_precision: isVague ? "area" : "site" };
}

const companiesOf = (filed: string | null): string[] =>
	(filed ?? "")
		.split(";")
		.map((company) => company.trim())
		.filter((company) => company !== "" && !/^(undisclosed|unknown)\b/i.test(company));

/** "2026-3" is "2026-03"; what is no date ("Early 2025") stays as filed. */
function announcedOf(filed: string | null): string | null {
	const [, year, month, day] = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$/.exec(filed ?? "") ?? [];
	if (year === undefined || month === undefined) return filed?.slice(0, 40) ?? null;
	return [year, month, day].flatMap((part) => (part === undefined ? [] : part.padStart(2, "0"))).join("-");
}

/** "TRUE", "false"; anything else ("unknown") is not known. */
function answerOf(cell: Cell): boolean | null {
	const filed = text(cell)?.toLowerCase();
	return filed === "true" ? true : filed === "false" ? false : null;
}
