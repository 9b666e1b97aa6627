/** MISO's list by hand, in both of its layouts: JSON of the API, CSV of the page. */
import type { RawFile } from "../../../services/queue-ingest/sources/source.ts";

export interface MisoRow {
	number: string;
	status?: string;
	queued?: string;
	withdrawn?: string;
	inService?: string;
	negotiated?: string;
	owner?: string;
	county?: string;
	state?: string;
	cycle?: string;
	phase?: string;
	service?: string;
	poi?: string | null;
	summer?: number | null;
	winter?: number | null;
	fuel?: string;
	facility?: string;
	after?: string;
	/** The API's `id`: another number every day. */
	rowId?: number;
}

const base = {
	status: "Active",
	queued: "2022-09-16",
	withdrawn: "",
	inService: "2027-06-01",
	negotiated: "",
	owner: "AMEREN ILLINOIS",
	county: "Logan",
	state: "IL",
	cycle: "DPP-2022-Cycle",
	phase: "Phase 2",
	service: "NRIS",
	summer: 150,
	winter: 150,
	fuel: "Solar",
	facility: "Photovoltaic",
	after: "Not Started",
	rowId: 1,
} satisfies Omit<Required<MisoRow>, "number" | "poi">;

function full(row: MisoRow) {
	return { ...base, poi: `${row.number} Tap 138kV`, ...row };
}

/** Requests that stay as they are, so that what a test changes is a small share of the list. */
export function standing(count = 20, first = 9001): MisoRow[] {
	return Array.from({ length: count }, (_, at) => ({ number: `J${first + at}`, summer: 500, winter: 500 }));
}

const isoMoment = (day: string) => (day === "" ? null : `${day}T04:00:00+00:00`);

export function misoJson(rows: MisoRow[]): RawFile {
	const records = rows.map(full).map((row) => ({
		id: row.rowId,
		projectNumber: row.number,
		applicationStatus: row.status,
		queueDate: isoMoment(row.queued),
		withdrawnDate: isoMoment(row.withdrawn),
		doneDate: null,
		inService: isoMoment(row.inService),
		negInService: isoMoment(row.negotiated),
		giaToExec: null,
		transmissionOwner: row.owner,
		county: row.county,
		state: row.state,
		studyCycle: row.cycle,
		studyGroup: "Central",
		studyPhase: row.phase,
		svcType: row.service,
		poiName: row.poi,
		summerNetMW: row.summer,
		winterNetMW: row.winter,
		dp1ErisMw: 0,
		fuelType: row.fuel,
		facilityType: row.facility,
		postGIAStatus: row.after,
	}));
	return { name: "getprojects.json", bytes: Buffer.from(JSON.stringify(records)) };
}

const slashed = (day: string) => day.replace(/^(\d{4})-0?(\d+)-0?(\d+)$/, "$2/$3/$1");

const header = [
	...["Project #", "Request Status", "Queue Date", "Withdrawn Date", "Done Date", "Appl In Service Date"],
	...["Transmission Owner", "County", "State", "Study Cycle", "Study Group", "Study Phase", "Service Type", "POI Name"],
	...["Summer MW", "Winter MW", "Fuel", "Generating Facility", "Post GIA Status", "Negotiated In Service Date"],
	"Decision Point 1 ERIS MW",
];

export function misoCsv(rows: MisoRow[]): RawFile {
	const lines = rows
		.map(full)
		.map((row) => [
			row.number,
			row.status,
			slashed(row.queued),
			slashed(row.withdrawn),
			"",
			slashed(row.inService),
			row.owner,
			row.county,
			row.state,
			row.cycle,
			"Central",
			row.phase,
			row.service === "NRIS" ? "Network Resource Interconnection Service (NRIS)" : row.service,
			row.poi ?? "",
			row.summer === null ? "" : row.summer.toFixed(2),
			row.winter === null ? "" : row.winter.toFixed(2),
			row.fuel,
			row.facility,
			row.after,
			slashed(row.negotiated),
			"0.00",
		]);
	const text = [header, ...lines].map((cells) => cells.map(quoted).join(",")).join("\r\n");
	return { name: "GI Interactive Queue.csv", bytes: Buffer.from(text) };
}

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
