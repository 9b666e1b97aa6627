/** The database `datacenter`, as SQL and files show it. */
import { listDatacenterPipeline, listDatacenters } from "#libs/contract/operations/datasets/datacenters.ts";
import { date, rowColumns, text, texts, type View, viewOf } from "#libs/parquet/view.ts";

const facilities = viewOf("datacenter_facilities", {
	name: "facilities",
	description:
		"Data centers of several lists. One row per listing: keep those with same_as null to have each recognised facility once. A row without an address (may_repeat) can be a facility that another list holds under its address.",
	columns: {
		...rowColumns(listDatacenters.reply.shape.data.element),
		status: text("proposed, approved, construction or operating; null where the list does not say"),
		source: text("List that the row is from: datacenter-map, datacenter-energy, datacenter-guide"),
	},
	computed: { may_repeat: "address is null" },
	order: ["state", "id"],
});

const pipeline = viewOf("datacenter_pipeline", {
	name: "pipeline",
	description:
		"Proposals of a tracker, and data centers among the load requests of operators' queues, whatever became of them: to come are those of kind facility whose status_std is proposed, approved, construction or delayed. Only NYISO publishes load requests. A project can be there as both.",
	columns: {
		...rowColumns(listDatacenterPipeline.reply.shape.data.element),
		name: text("Name of the project"),
		region: text("Operator whose queue the load request is in; null of a proposal"),
		queue_id: text("Number in the operator's queue; null of a proposal"),
		companies: texts("Companies named; empty where they are undisclosed"),
		county: text("First county, by its official name"),
		address: text("Address or description of the site, as filed"),
		utility: text("Utility at the point of interconnection of a load request"),
		source: text("List that the row is from"),
		updated_on: date("Day of the row's last change at its source, or that we saw"),
	},
	order: ["region", "state", "record", "id"],
});

export const datacenter: readonly View[] = [facilities, pipeline];
