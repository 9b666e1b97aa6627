/** The database `datacenter`, as SQL and files show it. */
import { listDatacenterPipeline, listDatacenters } from "#libs/contract/operations/datasets/datacenters.ts";
import { date, rowColumns, text, texts, type View, viewOf } from "#libs/parquet/view.ts";

const facilities = viewOf("datacenter_facilities", {
	name: "facilities",
	description:
		"Data centers from several lists, one row per listing. Filter by same_as is null to have each recognized facility once. A row without an address (may_repeat) can be a facility that another list has with its address.",
	columns: {
		...rowColumns(listDatacenters.reply.shape.data.element),
		status: text("proposed, approved, construction or operating; null if the list states none"),
		source: text("List that the row is from: datacenter-map, datacenter-energy, datacenter-guide"),
	},
	computed: { may_repeat: "address is null" },
	order: ["state", "id"],
});

const pipeline = viewOf("datacenter_pipeline", {
	name: "pipeline",
	description:
		"Proposals from a tracker, and data centers among the load requests of operators' queues, including finished and withdrawn ones. Planned facilities have kind facility and status_std proposed, approved, construction or delayed. Only NYISO publishes load requests. A project can be listed as both.",
	columns: {
		...rowColumns(listDatacenterPipeline.reply.shape.data.element),
		name: text("Name of the project"),
		region: text("Operator whose queue the load request is in; null for a proposal"),
		queue_id: text("Number in the operator's queue; null for a proposal"),
		companies: texts("Companies named; empty if they are undisclosed"),
		county: text("First county, by its official name"),
		address: text("Address or description of the site, as filed"),
		utility: text("Utility at the point of interconnection of a load request"),
		source: text("List that the row is from"),
		updated_on: date("Day of the row's last change, as its source states it or as it was detected here"),
	},
	order: ["region", "state", "record", "id"],
});

export const datacenterViews: readonly View[] = [facilities, pipeline];
