/** What the form asks, in the names of `POST /disputes`. */

export type Name = "project_id" | "field" | "developer_id" | "identifier" | "proposed" | "reason" | "evidence_url";

interface Field {
	label: string;
	hint: string;
	/** Characters at most. */
	most: number;
	isLong?: true;
}

export const fields: Record<Name, Field> = {
	project_id: { label: "Request", hint: "Its id, for example ERCOT-26INR0309", most: 100 },
	field: { label: "Field", hint: "As the interface names it, for example county or capacity_mw", most: 100 },
	developer_id: { label: "Developer", hint: "Its number or its name", most: 200 },
	identifier: { label: "Wrong number", hint: "For example cik:1326160; empty where one is missing", most: 40 },
	proposed: {
		label: "What should stand there",
		hint: "A name, a value, or a number as cik:1326160; may be empty",
		most: 200,
	},
	reason: { label: "Why", hint: "At least ten characters", most: 2_000, isLong: true },
	evidence_url: { label: "Where that can be read", hint: "An address that begins with https://", most: 500 },
};

export const subjects: [Subject, ...Subject[]] = [
	{ value: "developer_link", text: "Who is behind a request", asks: ["project_id"], hasDay: true },
	{ value: "project_field", text: "Another field of a request", asks: ["project_id", "field"], hasDay: true },
	{ value: "identifier", text: "A number of a developer (CIK, EIA)", asks: ["developer_id", "identifier"] },
	{ value: "ownership", text: "Who owns the plant of a request", asks: ["project_id"] },
];

interface Subject {
	value: "developer_link" | "project_field" | "identifier" | "ownership";
	text: string;
	asks: Name[];
	/** It can be about what is stated of a past day. */
	hasDay?: true;
}
