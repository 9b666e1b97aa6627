/** Why two publishers differ, each reason with the class that it belongs to and a sentence for readers. */
import type { ReconciliationClass } from "#libs/contract/vocabulary.ts";

interface Reason {
	class: ReconciliationClass;
	says: string;
}

export const rules = {
	agrees: { class: "matched", says: "The same status, and capacities within 1 MW or 0.5 %" },
	adds_up: { class: "matched", says: "As many requests, and as many MW to the tenth, as the operator's own total" },
	filed_after_edition: { class: "timing", says: "It entered the queue after the day of the edition" },
	filed_after_list: { class: "timing", says: "It entered the queue after the list that is compared" },
	ended_after_edition: {
		class: "timing",
		says: "The operator dates its withdrawal or the begin of its operation after the edition",
	},
	moved_between: {
		class: "timing",
		says: "The status went on between the edition and the nearest list that is loaded; the operator dates no step",
	},
	resized_between: {
		class: "timing",
		says: "An open request got another capacity between the edition and the nearest list that is loaded",
	},
	began_after_report: { class: "timing", says: "In operation after the year of the report" },
	parts_of_hybrid: {
		class: "definition",
		says: "They count each part of a hybrid; ours is the limit at the point of interconnection",
	},
	part_not_stated: {
		class: "definition",
		says: "A hybrid of ours, of which they state one part alone",
	},
	gross_capacity: {
		class: "definition",
		says: "They count what is installed, as the list's columns of parts have it; ours is net at the point of interconnection",
	},
	other_rating: { class: "definition", says: "They count the summer or the winter rating of the same list" },
	whole_plant: {
		class: "definition",
		says: "An addition to a plant that runs: they count the plant as it is afterwards, ours is what the request adds",
	},
	capacity_rights: {
		class: "definition",
		says: "PJM's request for capacity rights alone (MW Energy 0): ours is the rights, theirs no capacity or the plant's maximum output",
	},
	maximum_output: {
		class: "definition",
		says: "They count PJM's maximum facility output, ours the energy that the request asks for",
	},
	retired: {
		class: "definition",
		says: "It was built and has since closed: they call it withdrawn, ours operational and retired",
	},
	inactive: {
		class: "definition",
		says: "Inactive or suspended in the operator's list: they call it withdrawn, or active",
	},
	left_the_list: {
		class: "definition",
		says: "It left a list of open requests: they say what became of it, ours shows it in no total until the operator says so",
	},
	no_generation: {
		class: "definition",
		says: "Ours counts it as another kind (transmission, load, another operator's request), which is no generation",
	},
	part_of_number: {
		class: "definition",
		says: "Several requests have its number, of which they list fewer",
	},
	status_of_another: {
		class: "definition",
		says: "Of a number that several requests have, they give one the status that the operator gives another of them",
	},
	operator_says_open: {
		class: "definition",
		says: "The operator's own word is that it is open: they judge it by other evidence",
	},
	capacity_not_stated: { class: "definition", says: "One of the two states no capacity" },
	negative_change: {
		class: "definition",
		says: "A change that lowers a capacity: the operator adds it as a negative number, ours has no capacity",
	},
	schedule_not_loaded: {
		class: "definition",
		says: "Of a technology whose schedule of the form is not loaded",
	},
	below_threshold: { class: "definition", says: "Below 1 MW, from which on the form is filed" },
	not_planned_yet: {
		class: "definition",
		says: "A request without an executed agreement: the form lists units whose owners plan them within five years",
	},
	nameplate: {
		class: "definition",
		says: "Linked: a limit at the point of interconnection beside the nameplate of the plant, less than 30 % apart",
	},
	other_phases: {
		class: "definition",
		says: "Linked: the plant has more units than those that were asked for by these requests",
	},
	planned_smaller: { class: "timing", says: "Linked: more is asked for than their owners plan so far" },
	operates_already: {
		class: "timing",
		says: "Linked: units run by their report, where the operator's list still has the request open",
	},
	more_planned: {
		class: "timing",
		says: "Linked: of a plant that is operational here they have further units that are planned",
	},
	older_than_queue: { class: "definition", says: "In operation before the first request of the operator's list" },
	small_generator: {
		class: "definition",
		says: "Below 20 MW: connected by the small-generator or a distribution process, which most of these lists do not have",
	},
	not_in_edition: { class: "missing_there", says: "The operator lists it, their edition does not" },
	no_plant: {
		class: "missing_there",
		says: "No plant of theirs was found for it by name, company, county, capacity and year",
	},
	finished_not_listed: {
		class: "missing_here",
		says: "Finished before the first list that is loaded, and the operator's list has open requests alone",
	},
	not_in_list: { class: "missing_here", says: "No list of the operator that is loaded has its number" },
	listed_later: { class: "missing_here", says: "Lists that are loaded have it, but not that of the day" },
	not_published_singly: {
		class: "missing_here",
		says: "In the operator's sum; its list does not show requests of which no full study was asked for, and small ones before their model is ready",
	},
	no_request: {
		class: "missing_here",
		says: "No request was found for the plant by name, company, county, capacity and year",
	},
	operator_silent: {
		class: "ours_wrong",
		says: "The operator files no status, and ours counts it as open; they say what became of it",
	},
	status_differs: { class: "unexplained", says: "The statuses differ on the same day" },
	capacity_differs: { class: "unexplained", says: "The capacities differ" },
	sum_differs: { class: "unexplained", says: "The sum of the rows is not the sum that the operator states" },
} as const satisfies Record<string, Reason>;

export type Rule = keyof typeof rules;
export const classOf = (rule: Rule): ReconciliationClass => rules[rule].class;
