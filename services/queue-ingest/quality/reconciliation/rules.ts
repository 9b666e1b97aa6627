/** Reasons why two publishers differ, by class, each with a sentence that is served. */
import { type ReconciliationClass, reconciliationClasses } from "#libs/contract/vocabulary.ts";

const reasons = {
	matched: {
		agrees: "The same status, and capacities within 1 MW or 0.5 %",
		adds_up: "The operator's own total has the same number of requests, and the same MW to the tenth",
	},
	timing: {
		filed_after_edition: "It entered the queue after the day of the edition",
		filed_after_list: "It entered the queue after the list that is compared",
		ended_after_edition: "The operator dates its withdrawal or the start of its operation after the edition",
		moved_between:
			"The status changed between the edition and the nearest loaded list, on a day that the operator does not state",
		resized_between: "The capacity of an open request changed between the edition and the nearest loaded list",
		began_after_report: "Its operation began after the year of the report",
		planned_smaller: "Linked: the requests ask for more than the owners plan so far",
		operates_already: "Linked: units operate by their report, but the operator's list still has the request open",
		more_planned: "Linked: they list planned units of a plant that is operational here",
	},
	definition: {
		parts_of_hybrid: "They count each part of a hybrid; ours is the limit at the point of interconnection",
		part_not_stated: "They state only one part of a hybrid",
		gross_capacity:
			"They count the installed capacity in the list's columns of parts; ours is net at the point of interconnection",
		other_rating: "They count the summer or the winter rating of the same list",
		whole_plant: "An addition to an existing plant: they count the plant after it, ours is what the request adds",
		capacity_rights:
			"A PJM request for capacity rights only (MW Energy 0): ours is the rights, theirs no capacity or the plant's maximum output",
		maximum_output: "They count PJM's maximum facility output; ours is the energy that the request asks for",
		retired: "It was built and has since closed: theirs is withdrawn, ours operational and retired",
		inactive: "Inactive or suspended in the operator's list: theirs is withdrawn or active",
		left_the_list:
			"It is no longer in a list of open requests: they state its outcome; here no total counts it until the operator states one",
		no_generation: "Not generation here, but another kind (transmission, load, another operator's request)",
		part_of_number: "Several requests have its number, and they list fewer of them",
		status_of_another:
			"Several requests have its number, and theirs has the status that the operator gives another of them",
		operator_says_open: "Open in the operator's list: they use other evidence",
		capacity_not_stated: "One of the two states no capacity",
		negative_change: "It lowers a capacity: the operator adds a negative number, ours has no capacity",
		schedule_not_loaded: "The form lists its technology in a schedule that is not loaded",
		below_threshold: "Below 1 MW, the smallest plant for which the form is filed",
		not_planned_yet:
			"A request without an executed agreement: the form lists units whose owners plan them within five years",
		nameplate:
			"Linked: the limit at the point of interconnection and the nameplate of the plant differ by less than 30 %",
		other_phases: "Linked: the plant has more units than these requests ask for",
		older_than_queue: "In operation before the first request of the operator's list",
		small_generator:
			"Below 20 MW: connected by a small-generator or distribution process, which most of these lists do not contain",
	},
	missing_there: {
		not_in_edition: "The operator lists it; their edition does not",
		no_plant: "None of their plants was found for it by name, company, county, capacity and year",
	},
	missing_here: {
		finished_not_listed: "Finished before the first loaded list, and the operator lists only open requests",
		not_in_list: "No loaded list of the operator has its number",
		listed_later: "Other loaded lists contain it, but not the list of the day",
		not_published_singly:
			"Only in the operator's sum: its list omits requests without a requested full study, and small ones before their model is ready",
		no_request: "No request was found for the plant by name, company, county, capacity and year",
	},
	ours_wrong: {
		operator_silent: "The operator files no status, and ours counts it as open; they state its outcome",
	},
	unexplained: {
		status_differs: "The statuses differ on the same day",
		capacity_differs: "The capacities differ",
		sum_differs: "The sum of the rows differs from the sum that the operator states",
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
