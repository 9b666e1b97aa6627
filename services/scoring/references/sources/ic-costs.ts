/**
 * Reads interconnection costs of requests from CSV with a header (case, spaces and order do not matter): `region` with `queue_id`, or
 * `project_id` ("PJM-AE1-001", in any case); `cost_usd_per_kw`, or `total_cost_usd` with `capacity_mw`; optional `as_of` (a day) and `source`.
 * Costs are never estimated: a row without a clear cost is dropped. Pure.
 */
import { region as regionParam } from "#libs/contract/operations/projects/project.ts";
import { readCsv } from "#libs/files/csv.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { headerKey } from "#libs/files/table.ts";
import { type Cell, date, known, number } from "#libs/files/values.ts";
import { DroppedRows, type FiledCost, type InterconnectionCosts, type ReferenceFile } from "./reference.ts";

const region = regionParam();

/**
 * `today` (YYYY-MM-DD): a row with a later `as_of` is dropped as a typing error.
 * @throws StructureError if the file is incomplete or not such a list
 */
export function readInterconnectionCosts({ name, bytes }: ReferenceFile, today: string): InterconnectionCosts {
	const {
		rows: [header = [], ...rows],
	} = readCsv(bytes, name);
	const columns = findColumns(name, header);
	if (rows.length === 0) throw new StructureError(`${name}: has no rows below its header`);
	const costs: FiledCost[] = [];
	const dropped = new DroppedRows();
	for (const [at, row] of rows.entries()) {
		const costOrReason = readCost(row, columns, today);
		if (typeof costOrReason === "string") dropped.add(costOrReason, `line ${at + 2}`);
		else costs.push(costOrReason);
	}
	return { source: "ic-costs", costs, rowsIn: rows.length, dropped: dropped.list() };
}

function findColumns(name: string, header: Cell[]) {
	const keys = header.map((cell) => headerKey(cell).replace(/[\s-]+/g, "_"));
	const repeated = keys.find((key, at) => key !== "" && keys.indexOf(key) < at);
	if (repeated !== undefined) throw new StructureError(`${name}: the column ${repeated} appears twice`);
	const at = (key: string) => keys.indexOf(key);
	const columns = {
		region: at("region"),
		queueId: at("queue_id"),
		projectId: at("project_id"),
		perKw: at("cost_usd_per_kw"),
		total: at("total_cost_usd"),
		capacity: at("capacity_mw"),
		asOf: at("as_of"),
		source: at("source"),
	};
	if (columns.projectId < 0 && (columns.region < 0 || columns.queueId < 0))
		throw new StructureError(`${name}: required column missing: project_id, or region and queue_id`);
	if (columns.perKw < 0 && (columns.total < 0 || columns.capacity < 0))
		throw new StructureError(`${name}: required column missing: cost_usd_per_kw, or total_cost_usd and capacity_mw`);
	return columns;
}

type Columns = ReturnType<typeof findColumns>;

/** Returns the cost in a row, or why the row is dropped. */
function readCost(row: Cell[], columns: Columns, today: string): FiledCost | string {
	const request = readRequest(row, columns);
	if (typeof request === "string") return request;
	const cost = readCostPerKw(row, columns);
	if (typeof cost === "string") return cost;
	const filedDay = known(row[columns.asOf]);
	const asOf = date(filedDay);
	if (filedDay !== null && asOf === null) return "as_of is not a date";
	if (asOf !== null && asOf > today) return "as_of is in the future";
	const source = known(row[columns.source])?.slice(0, 300) ?? null;
	const missingFields = { poi_usd_per_kw: null, network_usd_per_kw: null, study: null, dollars_year: null };
	return { ...request, ...missingFields, cost_usd_per_kw: cost, as_of: asOf, source };
}

type Request = Pick<FiledCost, "project_id" | "region" | "queue_id">;

const noRegion = "the row names no region: state region and queue_id, or a project_id such as PJM-AE1-001";

function readRequest(row: Cell[], columns: Columns): Request | string {
	const projectId = known(row[columns.projectId]);
	if (projectId !== null && splitProjectId(projectId) !== null)
		return { project_id: projectId.slice(0, 200), region: null, queue_id: null };
	const number = projectId ?? known(row[columns.queueId]);
	if (number === null) return "the row names no request";
	const filedRegion = known(row[columns.region]);
	if (filedRegion === null) return noRegion;
	const found = region.safeParse(filedRegion);
	return found.success
		? { project_id: null, region: found.data, queue_id: number.slice(0, 200) }
		: "the row names an unknown region";
}

/** Splits an id ("iso-ne-qp1001") into region and queue number. Returns null if it does not begin with a region. */
export function splitProjectId(id: string): { region: string; queue_id: string } | null {
	for (let at = id.indexOf("-"); at > 0; at = id.indexOf("-", at + 1)) {
		const found = region.safeParse(id.slice(0, at));
		const number = id.slice(at + 1).trim();
		if (found.success && number !== "") return { region: found.data, queue_id: number.slice(0, 200) };
	}
	return null;
}

function readCostPerKw(row: Cell[], columns: Columns): number | string {
	const filedCost = known(row[columns.perKw]);
	if (filedCost !== null) return checkCost(number(filedCost), "cost_usd_per_kw is not a number");
	const total = known(row[columns.total]);
	const capacity = known(row[columns.capacity]);
	if (total === null) return "the row states no cost";
	const mw = number(capacity);
	if (mw === null || mw <= 0) return "the row states a total cost, but no capacity above 0";
	const dollars = number(total);
	return checkCost(dollars === null ? null : dollars / (mw * 1000), "total_cost_usd is not a number");
}

/** USD per kW. Published mean costs of withdrawn requests are 300 to 600; a cost above this limit is probably in another unit. */
const maxCostPerKw = 20_000;

/** Returns the cost, rounded to the cent, or the reason why it is invalid. */
export function checkCost(cost: number | null, reasonIfNull: string): number | string {
	if (cost === null) return reasonIfNull;
	if (cost < 0) return "the cost is negative";
	if (cost > maxCostPerKw) return `the cost is more than ${maxCostPerKw} USD per kW`;
	return Math.round(cost * 100) / 100;
}
