/** Reasons why two publishers differ, by class, each with a sentence for readers. */
import { type ReconciliationClass, reconciliationClasses } from "#libs/contract/vocabulary.ts";

const reasons = {
	matched: {
		agrees: "The same status, and capacities within 1 MW or 0.5 %",
		adds_up: "As many requests, and as many MW to the tenth, as the operator's own total",
	},
	timing: {
		filed_after_edition: "It entered the queue after the day of the edition",
		filed_after_list: "It entered the queue after the list that is compared",
		ended_after_edition: "The operator dates its withdrawal or the begin of its operation after the edition",
		moved_between:
			"The status went on between the edition and the nearest list that is loaded; the operator dates no step",
		resized_between: "An open request got another capacity between the edition and the nearest list that is loaded",
		began_after_report: "In operation after the year of the report",
		planned_smaller: "Linked: more is asked for than their owners plan so far",
		operates_already: "Linked: units run by their report, where the operator's list still has the request open",
		more_planned: "Linked: of a plant that is operational here they have further units that are planned",
	},
	definition: {
		parts_of_hybrid: "They count each part of a hybrid; ours is the limit at the point of interconnection",
		part_not_stated: "A hybrid of ours, of which they state one part alone",
		gross_capacity:
			"They count what is installed, as the list's columns of parts have it; ours is net at the point of interconnection",
		other_rating: "They count the summer or the winter rating of the same list",
		whole_plant:
			"An addition to a plant that runs: they count the plant as it is afterwards, ours is what the request adds",
		capacity_rights:
			"PJM's request for capacity rights alone (MW Energy 0): ours is the rights, theirs no capacity or the plant's maximum output",
		maximum_output: "They count PJM's maximum facility output, ours the energy that the request asks for",
		retired: "It was built and has since closed: they call it withdrawn, ours operational and retired",
		inactive: "Inactive or suspended in the operator's list: they call it withdrawn, or active",
		left_the_list:
			"It left a list of open requests: they say what became of it, ours shows it in no total until the operator says so",
		no_generation:
			"Ours counts it as another kind (transmission, load, another operator's request), which is no generation",
		part_of_number: "Several requests have its number, of which they list fewer",
		status_of_another:
			"Of a number that several requests have, they give one the status that the operator gives another of them",
		operator_says_open: "The operator's own word is that it is open: they judge it by other evidence",
		capacity_not_stated: "One of the two states no capacity",
		negative_change: "A change that lowers a capacity: the operator adds it as a negative number, ours has no capacity",
		schedule_not_loaded: "Of a technology whose schedule of the form is not loaded",
		below_threshold: "Below 1 MW, from which on the form is filed",
		not_planned_yet:
			"A request without an executed agreement: the form lists units whose owners plan them within five years",
		nameplate:
			"Linked: a limit at the point of interconnection beside the nameplate of the plant, less than 30 % apart",
		other_phases: "Linked: the plant has more units than those that were asked for by these requests",
		older_than_queue: "In operation before the first request of the operator's list",
		small_generator:
			"Below 20 MW: connected by the small-generator or a distribution process, which most of these lists do not have",
	},
	missing_there: {
		not_in_edition: "The operator lists it, their edition does not",
		no_plant: "No plant of theirs was found for it by name, company, county, capacity and year",
	},
	missing_here: {
		finished_not_listed:
			"Finished before the first list that is loaded, and the operator's list has open requests alone",
		not_in_list: "No list of the operator that is loaded has its number",
		listed_later: "Lists that are loaded have it, but not that of the day",
		not_published_singly:
			"In the operator's sum; its list does not show requests of which no full study was asked for, and small ones before their model is ready",
		no_request: "No request was found for the plant by name, company, county, capacity and year",
	},
	ours_wrong: {
		operator_silent: "The operator files no status, and ours counts it as open; they say what became of it",
	},
	unexplained: {
		status_differs: "The statuses differ on the same day",
		capacity_differs: "The capacities differ",
		sum_differs: "The sum of the rows is not the sum that the operator states",
	},
} as const satisfies Record<ReconciliationClass, Record<string, string>>;

type Reasons = typeof reasons;
export type Rule = { [Class in keyof Reasons]: keyof Reasons[Class] }[keyof Reasons];

export const rules: Record<string, string> = Object.assign({}, ...Object.values(reasons));

const classes = new Map(
	reconciliationClasses.flatMap((one) =>
		Object.keys(reasons[one]).map((rule): [string, ReconciliationClass] => [rule, one]),
	),
);

export const classOf = (rule: string): ReconciliationClass => classes.get(rule) ?? "unexplained";
