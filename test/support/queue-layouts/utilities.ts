import { csv } from "../file-formats.ts";
import type { QueueRow } from "../queue-files.ts";
import { grid, type Layout, list, padded, plain, type Record_ } from "./layout.ts";

const headers = list(
	"id, name, capacity, fuel, submitted_date, service_date, county, state, transmission_owner, iso_utility, join_key",
);

const utility = (
	owner: string,
	called: string,
	number: Layout["number"],
	places: Layout["places"],
	nameOf: (poi: string) => string,
): Layout => {
	const record = (row: QueueRow): Record_ => ({
		id: row.number,
		name: nameOf(row.poi),
		capacity: row.mw.toFixed(1),
		fuel: row.fuel === "Gas" ? "Natural Gas" : row.fuel,
		submitted_date: row.queueDate,
		service_date: row.cod,
		county: row.county,
		state: row.state,
		transmission_owner: owner,
		iso_utility: called,
		join_key: `${row.county.toLowerCase()}_${row.state.toLowerCase()}`,
	});
	const file = `${called.toLowerCase()}_active_projects.csv`;
	return {
		number,
		statuses: ["active"],
		places,
		files: { csv: plain(file, (rows) => csv(grid(rows.map(record), headers))) },
	};
};

export const duke = utility(
	"DEC",
	"DEC",
	(n) => String(960_000 + n),
	[
		["Laurens", "SC"],
		["Wayne", "NC"],
	],
	(poi) => `${poi}nan`,
);
export const soco = utility(
	"Southern Company",
	"SoCo",
	(n) => `IC-${padded(n, 3)}`,
	[
		["Decatur", "GA"],
		["Perry", "AL"],
	],
	(poi) => poi,
);
export const tva = utility(
	"TVA",
	"TVA",
	(n) => `${n}.0`,
	[
		["Shelby", "TN"],
		["Clay", "MS"],
	],
	(poi) => poi,
);
