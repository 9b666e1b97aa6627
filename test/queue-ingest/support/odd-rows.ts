/** Rows whose values break what was written carelessly. */

/** Texts that break a careless reader or statement. */
export const tricks = [
	`'; drop table projects; --`,
	`"quoted", and, commas`,
	"two\nlines",
	"a\r\nb\rc",
	"tab\there \\t \\N \\ end\\",
	"\\N",
	"\\.",
	" spaces ",
	"Ærøskøbing — 漢字 😀",
	"\u0001\u001f",
	"",
	"100% of_it",
	"$1 $$ %L %s",
];

/** Fields that every request must have. */
export const filed = {
	...{ region: "PJM", feed: "pjm-cycle", kind: "generation", key: "k", type_std: "Solar", status_std: "Active" },
	...{ plant_state: "none", request_class: "new", capacity_basis: "injection_limit" },
	...{ construction_stage: "early", construction_stage_confidence: 0.5, ia_status: "Construction" },
	...{ first_seen_at: "2026-01-02T03:04:05Z", last_changed_at: "2026-01-02T03:04:05Z", version: 1 },
	...{
		raw: {},
		row_hash: "h",
		is_repeat: false,
		queue_id: "q",
		counties: [],
		components: [{ type_std: 'Wind, "; Solar', capacity_mw: null }],
		score_seen: 0,
	},
};
