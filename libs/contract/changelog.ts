/** Changes of the interface, newest first, for callers. Changes inside the service are not listed. */

export interface Release {
	/** YYYY-MM-DD */
	day: string;
	/** May break a caller; empty where nothing does. */
	changed: readonly string[];
	added: readonly string[];
}

export const changelog: readonly Release[] = [
	{
		day: "2026-11-27",
		changed: [
			"Active requests leave out what is void by the operator's process (`status_flag: void_window`) and what uses existing rights (`request_class` replacement, surplus, capacity_rights), and include what is partly in operation with the rest of its MW: in `/stats`, `/queue/integrity` and the view `active_requests`. `active_left_out` of `/stats` counts the rest, `active_mw` of the view sums up to `active_capacity_gw`, and `/projects?active=true` lists them; `status=Active` chooses by `status_std`, as before.",
			"Requests that are energized or operate, void requests and those of existing rights have no score and no tax credit; a request whose projected date had passed on the day of its list is not investable, under construction too.",
			"The EIA's forms and lists decide for listed requests, too: where a surely linked plant of the technology and capacity began to operate after the request was made, `status_std` is Operational and `status_basis` other_source.",
		],
		added: [
			"Requests have `plant_state` (what stands at the site, with `plant_state_basis` and `plant_state_evidence`), `request_class` and `incremental_mw`, and `operating_mw` of a plant that is partly in service; `plant_state` and `request_class` are filters. Requests loaded before have them with the next list of their operator, or after `npm run rebuild`.",
		],
	},
	{
		day: "2026-11-26",
		changed: [
			"The event `change.recorded` at NATS is the row of `/changes`, without `project`: `project.changed` carries the request. Streams of server-sent events and webhooks are as before.",
			"`POST /register` always returns JSON: a form sent by a browser got a page before. `GET /register` is the page of an account, whose form needs scripts.",
			"`meta.columns` of `/query` are described by their names: like the one column of the statement's views with that name and type; any other number has the unit that its name ends with (`total_mw`). A renamed column has no `source` any more, and an unnamed sum no unit. CSV may be 5 MB as it is sent.",
			"The events `state.recorded` and `list.recorded`, and the view `scored_request_versions` of SQL, are gone: `project.changed` carries each version of a request, and the view `project_versions` its history.",
			"Scores and credits of a past day are those that stood published when it ended (`score_basis: published`); where none did they are null (`unpublished`). Nothing is recomputed: `basis: recomputed`, `unknown_inputs`, and `score_version` with `as_of` are gone, `/score/{project_id}?as_of=` is 404 without a published score, and `/score/{project_id}/history` lists what was published, with `until`. `/investable`, `/deals/itc`, `/projects/{project_id}/tax-credit` and `/developers/{developer_id}/capital` take no `as_of`; `meta` of `/projects?as_of=` has no `score_version` and `in_sample`.",
			"Filters and sort columns of scores, credits and ratings (`min_score`, `investable`, `has_tax_credit`, `energy_community`, `low_income`, `needs_capital`) are refused with `as_of`, and `/compare` has none of them: `/export/scores?as_of=` has the scores of a day. As of a past day `tax_credits` of `/stats` and `tax_credit_eligibility` of `/validate` are null, and tiles have no scores.",
			"`at_seq` is gone from all reads, and from their `meta`: it is refused as an unknown parameter. `as_of` goes by the days of the lists, `/changes?after=` is the log in the order of loading, and what was known on a past day is in the dated files of `/archive/`.",
			"The present is what the lists say in the order of their days, whichever was loaded first: a list that is loaded late or taken back (or all, when they are read again) changes it, too. The differences are `correction`s in `/changes`, `backfilled`. A request that only a mistaken list showed is gone (410, and `sample.left` at NATS); it was missing before. A request of old lists alone is listed as missing; it was gone. `/projects/{project_id}/history` shows the states as they are known now, without `corrected`; `meta.corrections` counts lists, not states; the view `snapshots` of SQL has no `retraction`.",
			"A webhook's address proves itself before the first delivery: it echoes the `challenge` of a message `webhook.challenge`, also when `PATCH` names another address; `proven` says whether it has. Webhooks that were made before count as proven.",
			"`/watchlists/{watchlist_id}` costs a query of the plan, like `/projects` with the same filters; `/watchlists` and `/watchlists/{watchlist_id}/changes` cost none, as before.",
			"A watchlist of the free plan has at most 1,000 requests when its filters are given, and is deleted when it was not used for 90 days: `expires_at` says when.",
			"An error of a statement that ran (`statement_failed`) names the kind of the failure alone: that of an unknown time zone has no name of it any more, and counts like an answer. Those of `projects_as_of` and `scores_as_of` do not repeat the day, and a text that is more than a date is refused.",
			"Statements without a paid plan are limited to 10 s of CPU time of an account, or of an address without a key, of which 2 s come back in a minute (429). Names and types of the columns of a result count against its 5 MB, and may have 1 MiB.",
			"A payment whose outcome is not known yet is refused with the code `payment_pending` (409, or 503 to the request that began the charge) in place of `conflict` and `unavailable`; another payment of the same payer for the same request is refused likewise, and answered without a charge when the first is found out.",
			"A statement that ran and failed is not charged to prepaid credits either: five a minute of a payer, then 429.",
			"A network (the /48 of an IPv6 address, the /24 of an IPv4 address) gets as many free keys in an hour as four addresses.",
			"A body with a `Content-Encoding` other than `identity` is 415. `X-Forwarded-Host` is ignored: documents print the configured address, or the `Host` that they were requested with.",
			"Streams of server-sent events without a paid plan are limited by network, too (100 for the /48 of an IPv6 address or the /24 of an IPv4 address).",
			"`POST /register` opens an account with each key, also for an address that has one (it was a 409): an account whose keys are lost or revoked comes back through the operator. A key that was replaced cannot be replaced again in its grace.",
		],
		added: [
			"`safe=1` for CSV of exports, `/query` and saved queries: a text that a spreadsheet would take for a formula has an apostrophe before it.",
			"`/stats` has `active_capacity_gw` and `by_status`, and SQL has the view `active_requests`. A request is active if it is for generation, its operator's newest list shows it and its standardised status is Active; pages, examples and MCP tools count the same requests.",
		],
	},
	{
		day: "2026-11-25",
		changed: [
			"`/openapi.json` offers a body as a form only where every field of it is text: objects and lists of objects are sent as JSON, as before.",
			"`/projects?at_seq=` has the scores and credits of `/score/{project_id}?at_seq=`, too, with `score_basis` and `score_version`; `needs_capital` of a past day or change is that of the developer's rating of then.",
			"Tools of `/mcp` answer a text, and no `structuredContent` beside it with the same; `tools/list` has no schema of answers, which `find_operations` tells.",
			"Scores and credits in `/projects?as_of=`, its groups, tiles, totals and files are those of `/score/{project_id}?as_of=`: published then or recomputed, as `score_basis` says. They were the last that had been published of the request's state.",
			"Errors are sent as `application/problem+json` (RFC 9457) with `type`, `title`, `status` and `request_id` beside `detail` and `code`.",
			"`capacity_mw` of a PJM request that asks for no energy (MW Energy 0) is its capacity rights, null where it asks for none: it was the whole plant's maximum output, which is in `raw.MFO` now.",
			"Requests of ISO-NE without a project status are operational where their row was updated on or after its operation date.",
		],
		added: [
			"Samples in `/openapi.json` and `/llms-full.txt` call the address at which the document was asked for; those of files write them, those of streams show each event as it comes, those of prepaid credits send the token.",
			"Pages of other origins can read `X-Seq`, and the 404 of a path that does not exist; the TypeScript client's followed feed goes on through a restart of the service.",
			"`/source-contracts` names the words of each list that are not known (`unknown_words`) and those that a person mapped (`mapped_words`), which provenance gives as the rule `vocabulary.mapped`.",
			"The event `list.drifted`: the structure of an operator's list differs from that of the list before it.",
			"For programs that know only the host: `Link` headers of `/`; `/.well-known/api-catalog` with every interface (RFC 9727); `/mcp/server-card` and `/.well-known/ai-catalog.json` (SEP-2127); `/.well-known/x402` with what is priced, where it is paid for by x402.",
			"Each link of `/llms.txt` is a whole address, and its sections are lists of links alone: one for each resource.",
			"A client in TypeScript (`libs/client`): typed calls, lists from end to end, the feed and streams through lost connections, webhooks, payments with a cap.",
			"A command line (`eids`, with the client): `projects`, `changes --follow`, `watch`, `score`, `sql`, `export --out tx.parquet`; `/docs/guides/cli` is its guide.",
			"MCP for models: `tools/list` has 27 KB (200 before); answers are short by default (`response_format=detailed` gives all) and link to files; `find_operations` and `call_operation` reach everything else.",
			"`as_of` and `at_seq` answer lists, details, totals and exports as they were on a day, or after a change; `POST /compare` says what differs between two days.",
			"`/score/{project_id}`, `/investable` and `/deals/itc` take `at_seq`; `/developers/{developer_id}/capital` takes `as_of` and `at_seq`.",
			"`/export/scores`, `/projects/{project_id}/tax-credit`, `/projects/{project_id}/ownership`, `/projects/{project_id}/provenance`, `/verify` and `/changes/summary` take `at_seq`, too; a read that takes neither it nor `as_of` says why.",
			"`meta.lists` names the day of each list that such an answer rests on; who is behind a request is as known now, on all days of the facts that lead there.",
			"Histories of requests, portfolios and scores: `/projects/{project_id}/history`, `/developers/{developer_id}/history`, `/score/{project_id}/history`.",
			"Server-sent events: `/changes/stream`, `/scores/stream`, `/events/stream`.",
			"Webhooks and watchlists, signed by Standard Webhooks and carrying the attributes of CloudEvents.",
			"`/archive`: requests and changes as dated Parquet files.",
			"Pages for people at `/`, `/changes`, `/status`, `/projects/{project_id}` and `/developers/{developer_id}`; programs get JSON there as before.",
			"`/tiles` takes every filter of `/projects`, places, ids and `population` too; `/coverage` names the days of each operator's lists (`list_days`).",
			"A dispute may be about what is stated of a past day: `as_of` of `POST /disputes`.",
			"`/reconciliation`: each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals, with a reason for every difference.",
			"`/source-contracts`: the structure of each operator's newest list, and how it differs from the list accepted before it.",
			"Developers have `identifiers` (CIK, EIA) with who has each number where; `/developers?identifier=cik:1326160` finds them.",
			"`/export/developers` has the column `identifiers`; schema version 1.1.",
			"`POST /disputes` objects to what is stated, and `/disputes/{dispute_id}` says what became of it; a correction of a person is shown as such.",
			"Errors have a `code`, which stays what it is, beside their `detail`.",
			"`/openapi.json` names every schema, says what every field is, and shows each call as command, program and DuckDB statement; lists have `Link` headers, every answer an `API-Version`.",
			"Answers, files of text, results of statements and documents are compressed as zstd, Brotli or gzip, whichever `Accept-Encoding` ranks highest.",
			"`region` names the operator of `/market/prices` and `/market/hubs`, as it does elsewhere; `iso` means the same.",
			"This documentation: guides whose code is run, a live answer of each endpoint, a search.",
			"`components`: the parts of a plant with their MW as filed; a part that changes is a `component_change`.",
			"`include=raw` in `/changes`, its stream and its files: every other column of the operator that differs, as `raw_update`; `include=row,raw` for both.",
			"Provenance: `/projects/{project_id}/provenance` names file, sheet, row, column and rule of each value, of Berkeley Lab's row of the request and of NYSERDA's list, too; `/verify` reads its archived file again, `/files/{sha256}` says what is known of a file.",
			"`/projects/{project_id}/provenance` names the rows of lists of places that flags rest on, the law and the fields of the request that a tax credit and a score are computed from (`citations`, `facts`), and with `field=owners` the rows of the EIA's form 860, which `/verify` reads again.",
			"`/resolve`: which request is meant by any number ever filed, a number of Berkeley Lab or the EIA, a name with its place, or a point; `POST` takes 1,000 at once.",
			"Caps of a day: `PATCH /keys` for the queries of a key (or `daily_queries` of `POST /register`), `PATCH /credits` for the dollars of prepaid credits; beyond one a call is refused with `spend_cap_reached`.",
			"`/usage` has `alerts` at 50, 80 and 100 % of the month and of the key's cap, and as CSV (`format=csv`) each day and operation; `/plans` has the prices of calls.",
			"`GET /receipts/{receipt_id}`: what was paid for a call, when, how and for which operation.",
			"`GET /query?sql=`: a statement as a link that can be passed on, as JSON, CSV or Parquet.",
			"`meta.columns` of `/query` says of each column of a result its unit, the view and column that it comes from (`source`) and what it means, where that is known; charts of `/sql` name units.",
			"Files by their address: `/export/projects.parquet`, `.csv`, `.csv.gz`, `.ndjson` and `.geojson`, and so every export; `compression=snappy` of Parquet; `If-Match` (412) for parts of one file alone.",
			"`/export/plants` and `/export/prices`: plants and wholesale prices as files, with the filters of `/grid/plants` and `/market/prices`, each with its manifest. A range beyond the end of a file (416) is not counted.",
			"`/export/projects.parquet` and `/export/plants.parquet` are GeoParquet 1.1: a last column `geometry` with the point of each row, where `lat` and `lon` are among the fields; schema versions 1.5 and 1.1.",
			"Saved queries: `POST /queries` keeps a statement with parameters under a name, `/queries/{query_id}/run?name=value` runs it with values, which are bound and never part of its text.",
			"`/sql` has a button that saves a statement with its parameters, and gives the address that runs it.",
			"`POST /quote`, free: what a call would cost, by way to pay and in queries of a plan, and the rows and bytes of its answer where they are known.",
		],
	},
	{
		day: "2026-11-24",
		changed: [
			"A request that vanished from its operator's list is not active, and is left out of lists, totals and exports unless `listed` or `include_unlisted` asks for it.",
			"`false` leaves out what is unknown, and so does `true`.",
			"`status_std` says in `status_basis` what it rests on; one that follows another publisher is an `evidence_update`, outside the default feed.",
		],
		added: [
			"Filters that exclude each other take several values, by comma or repetition.",
			"`fields` chooses what is shown of each row.",
			"`/scores/backtest`: how `p_built` held on days that it had not seen.",
			"`/queue/integrity/{finding}` lists the requests of a finding.",
			"A search forgives a slip, and understands a county with its state.",
		],
	},
	{
		day: "2026-11-23",
		changed: [
			"Statements of `POST /query` are in DuckDB's SQL.",
			"Exports are files: `Content-Length`, a strong ETag, ranges.",
		],
		added: ["`cursor` reads any list from end to end; `/changes?after=` is a log without gaps, also of one request."],
	},
	{
		day: "2026-11-22",
		changed: [],
		added: [
			"`POST /query` and `/query/schema`: SQL over nine databases.",
			"Distributed generation, data centres, market prices, and the plants and generators of the grid.",
			"`/mcp`: every operation that reads is a tool.",
			"`/catalog`, `/catalog/data`, `/coverage`, `/llms.txt` and `/llms-full.txt`.",
		],
	},
	{
		day: "2026-11-21",
		changed: [],
		added: ["Keys, plans, usage and payments.", "Scores, tax credits and distress."],
	},
	{
		day: "2026-11-20",
		changed: [],
		added: ["Requests, their changes, developers, owners, news, filings and deals."],
	},
];
