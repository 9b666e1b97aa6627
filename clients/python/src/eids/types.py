"""Rows, responses and parameters as typed dictionaries. Generated from the OpenAPI document: do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict


DatasetValue: TypeAlias = Literal["queues", "developers", "news", "material_events", "ma_events", "capital_raises", "scores", "grid", "dg", "datacenters", "market"]
FindingValue: TypeAlias = Literal["zombies", "cod_before_queue_date", "implausible_date", "operational_without_date"]
TechnologyValue: TypeAlias = Literal["Solar", "Storage", "Wind", "Gas", "Solar + Storage", "Wind + Storage", "Wind + Solar", "Wind + Solar + Storage", "Gas + Storage", "Offshore Wind", "Nuclear", "Hydro", "Pumped Storage", "Coal", "Oil", "Geothermal", "Biomass", "Waste", "Hydrogen", "Fuel Cell", "Waste Heat", "Other Storage", "Other", "Unknown", "Transmission", "Load"]
StateValue: TypeAlias = Literal["AK", "AL", "AR", "AS", "AZ", "CA", "CO", "CT", "DC", "DE", "FL", "GA", "GU", "HI", "IA", "ID", "IL", "IN", "KS", "KY", "LA", "MA", "MD", "ME", "MI", "MN", "MO", "MP", "MS", "MT", "NC", "ND", "NE", "NH", "NJ", "NM", "NV", "NY", "OH", "OK", "OR", "PA", "PR", "RI", "SC", "SD", "TN", "TX", "UT", "VA", "VI", "VT", "WA", "WI", "WV", "WY"]
DatabaseValue: TypeAlias = Literal["master", "developer", "signals", "capital", "scoring", "grid", "dg", "datacenter", "market"]
FormatValue: TypeAlias = Literal["json", "slack", "teams", "email"]
ByValue: TypeAlias = Literal["status_std", "construction_stage", "study_phase", "ia_status", "region", "type_std"]
IsoValue: TypeAlias = Literal["PJM", "MISO", "ERCOT", "CAISO", "NYISO", "SPP", "ISO-NE", "DUKE", "SOCO", "TVA", "BPA", "WEST", "SOUTHEAST"]
ConstructionStageValue: TypeAlias = Literal["early", "mid", "late", "construction", "operational", "withdrawn", "suspended"]
DeveloperTierValue: TypeAlias = Literal["major_utility", "major_ipp", "mid_platform", "pe_fund", "independent", "oil_major", "unknown"]
KindValue: TypeAlias = Literal["generation", "transmission", "load", "distribution", "utility", "affected_system"]
PlantStateValue: TypeAlias = Literal["none", "under_construction", "energized", "operating", "partially_operating", "retired", "unknown"]
RequestClassValue: TypeAlias = Literal["new", "modification", "replacement", "surplus", "capacity_rights"]
ChangeTypeValue: TypeAlias = Literal["new_project", "status_change", "capacity_change", "component_change", "cod_change", "developer_change", "study_phase_change", "field_update", "disappeared", "correction", "evidence_update", "raw_update", "first_listed", "withdrawal"]
OldStatusStdValue: TypeAlias = Literal["Active", "Withdrawn", "Operational", "Suspended", "Unknown"]
FieldsValue: TypeAlias = Literal["seq", "detected_at", "project_id", "queue_id", "region", "kind", "change_type", "field_name", "old_value", "new_value", "project_name", "developer_canonical", "capacity_mw", "type_std", "state", "backfilled"]
FormatValue2: TypeAlias = Literal["csv", "parquet", "csv.gz", "ndjson", "xlsx", "arrow"]
FieldsValue2: TypeAlias = Literal["developer_id", "canonical_name", "tier", "total_projects", "total_capacity_mw", "operating_capacity_mw", "in_construction_mw", "active_capacity_mw", "withdrawn_projects", "operational_projects", "completion_rate", "states_active", "primary_technologies", "needs_capital", "company_kind", "company_group", "identifiers"]
FieldsValue3: TypeAlias = Literal["plant_id", "name", "utility_id", "utility_name", "owners", "sector", "street", "city", "county", "state", "zip", "lat", "lon", "nerc_region", "balancing_authority", "grid_owner", "grid_voltage_kv", "technologies", "generators", "operable_mw", "proposed_mw", "retired_mw", "is_complete", "linked_requests", "source", "year", "as_of"]
FormatValue3: TypeAlias = Literal["csv", "parquet", "csv.gz", "ndjson", "xlsx", "arrow", "geojson"]
RegionValue: TypeAlias = Literal["PJM", "MISO", "ERCOT", "CAISO", "NYISO", "SPP", "ISO-NE"]
FieldsValue4: TypeAlias = Literal["iso", "hub", "hub_id", "hub_type", "market", "interval", "starts_at", "local_date", "hour_ending", "lmp_usd_mwh", "energy_usd_mwh", "congestion_usd_mwh", "loss_usd_mwh", "min_lmp_usd_mwh", "max_lmp_usd_mwh", "hours", "complete", "timezone", "source", "published"]
FieldsValue5: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "counties", "fips", "developer", "developer_tier", "developer_id", "developer_canonical", "type", "type_std", "kind", "status", "status_std", "status_basis", "status_evidence", "status_flag", "listed", "plant_state", "plant_state_basis", "plant_state_evidence", "plant_report", "plant_reported_on", "construction_begun_by", "request_class", "capacity_mw", "capacity_basis", "incremental_mw", "added_type_std", "operating_mw", "components", "summer_mw", "winter_mw", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "security_posted", "construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed", "ia_status", "ia_status_filed", "poi", "poi_id", "utility", "cluster", "service", "lat", "lon", "location_precision", "energy_community_eligible", "low_income_eligible", "domestic_content_eligible", "domestic_content_basis", "tax_credit_type", "tax_credit_status", "tax_credit_pct", "estimated_credit_value", "effective_credit_rate", "needs_capital", "investable", "p_cod_36", "investability_score", "feed", "first_seen_at", "last_changed_at", "missing_since", "version", "score_basis", "score_version"]
FieldsValue6: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "developer", "developer_canonical", "developer_tier", "type_std", "capacity_mw", "cod", "construction_stage", "tax_credit_type", "tax_credit_status", "effective_credit_rate", "estimated_credit_value", "p_credit", "expected_credit_value", "investability_score", "grade", "p_cod_24", "p_cod_24_low", "p_cod_24_high", "p_cod_36", "p_cod_36_low", "p_cod_36_high", "p_energized_24", "p_energized_24_low", "p_energized_24_high", "p_energized_36", "p_energized_36_low", "p_energized_36_high", "comparable_requests", "p_reason", "investable", "developer_tier_score", "milestone_progress_score", "tax_credit_value_score", "iso_posture_score", "deal_cleanliness_score", "confidence", "score_version", "inputs_hash", "facts_as_of", "scored_at"]
SourceValue: TypeAlias = Literal["eia861-net-metering", "eia861-distributed", "puco-ohio-der", "nyserda-der"]
FieldsValue7: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "counties", "fips", "developer", "developer_tier", "developer_id", "developer_canonical", "type", "type_std", "kind", "status", "status_std", "status_basis", "status_evidence", "status_flag", "listed", "plant_state", "plant_state_basis", "plant_state_evidence", "plant_report", "plant_reported_on", "construction_begun_by", "request_class", "capacity_mw", "capacity_basis", "incremental_mw", "added_type_std", "operating_mw", "components", "summer_mw", "winter_mw", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "security_posted", "construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed", "ia_status", "ia_status_filed", "poi", "poi_id", "utility", "cluster", "service", "lat", "lon", "location_precision", "energy_community_eligible", "low_income_eligible", "domestic_content_eligible", "domestic_content_basis", "tax_credit_type", "tax_credit_status", "tax_credit_pct", "estimated_credit_value", "effective_credit_rate", "needs_capital", "investable", "p_cod_36", "investability_score", "feed", "first_seen_at", "last_changed_at", "missing_since", "version", "score_basis", "score_version", "aliases", "developer_match", "relations", "raw"]
FieldValue: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "counties", "fips", "developer", "developer_tier", "developer_id", "developer_canonical", "type", "type_std", "kind", "status", "status_std", "status_basis", "status_evidence", "status_flag", "listed", "plant_state", "plant_state_basis", "plant_state_evidence", "plant_report", "plant_reported_on", "construction_begun_by", "request_class", "capacity_mw", "capacity_basis", "incremental_mw", "added_type_std", "operating_mw", "components", "summer_mw", "winter_mw", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "security_posted", "construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed", "ia_status", "ia_status_filed", "poi", "poi_id", "utility", "cluster", "service", "lat", "lon", "location_precision", "energy_community_eligible", "low_income_eligible", "domestic_content_eligible", "domestic_content_basis", "tax_credit_type", "tax_credit_status", "tax_credit_pct", "estimated_credit_value", "effective_credit_rate", "needs_capital", "investable", "p_cod_36", "investability_score", "feed", "first_seen_at", "last_changed_at", "missing_since", "version", "owners"]
FormatValue4: TypeAlias = Literal["json", "csv", "parquet", "arrow"]
ByValue2: TypeAlias = Literal["status", "technology", "region", "state", "county", "poi", "construction_stage", "location_precision", "queue_year", "cod_year"]
StatusValue: TypeAlias = Literal["to_come", "proposed", "approved", "construction", "operating", "delayed", "withdrawn", "denied", "all"]
StatusValue2: TypeAlias = Literal["proposed", "approved", "construction", "operating", "delayed", "withdrawn", "denied"]
EventTypeValue: TypeAlias = Literal["distress", "litigation", "ma", "financing", "project", "mention"]
FieldsValue8: TypeAlias = Literal["id", "name", "state", "capacity_mw", "stage"]
SortValue: TypeAlias = Literal["total_projects", "active_capacity_mw", "completion_rate", "canonical_name"]
SectorValue: TypeAlias = Literal["residential", "commercial", "industrial", "transportation", "direct_connected"]
AreaTypeValue: TypeAlias = Literal["county", "place", "township", "region"]
SortValue2: TypeAlias = Literal["id", "capacity_mw", "year", "state"]
FieldsValue9: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "developer", "developer_canonical", "developer_tier", "type_std", "capacity_mw", "cod", "construction_stage", "tax_credit_type", "tax_credit_status", "effective_credit_rate", "estimated_credit_value", "p_credit", "expected_credit_value", "investability_score", "grade", "p_cod_24", "p_cod_24_low", "p_cod_24_high", "p_cod_36", "p_cod_36_low", "p_cod_36_high", "p_energized_24", "p_energized_24_low", "p_energized_24_high", "p_energized_36", "p_energized_36_low", "p_energized_36_high", "comparable_requests", "p_reason", "incremental_mw", "facts_as_of", "security_posted", "network_upgrade_usd_per_kw", "explanation"]
FieldsValue10: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "developer", "developer_canonical", "developer_tier", "type_std", "capacity_mw", "cod", "construction_stage", "tax_credit_type", "tax_credit_status", "effective_credit_rate", "estimated_credit_value", "p_credit", "expected_credit_value", "investability_score", "grade", "p_cod_24", "p_cod_24_low", "p_cod_24_high", "p_cod_36", "p_cod_36_low", "p_cod_36_high", "p_energized_24", "p_energized_24_low", "p_energized_24_high", "p_energized_36", "p_energized_36_low", "p_energized_36_high", "comparable_requests", "p_reason", "facts_as_of", "security_posted", "network_upgrade_usd_per_kw", "base_credit_pct", "at_risk_rate", "energy_community_eligible", "domestic_content_eligible", "domestic_content_basis", "low_income_eligible", "cod_year", "energy_community_notice", "warnings"]
HubTypeValue: TypeAlias = Literal["hub", "zone", "interface", "node"]
CategoryValue: TypeAlias = Literal["distress", "ma", "debt", "equity", "agreement"]
SortValue3: TypeAlias = Literal["active_mw", "active_requests", "requests", "withdrawn_mw", "poi_id"]
ChangeTypeValue2: TypeAlias = Literal["new_project", "status_change", "capacity_change", "component_change", "cod_change", "developer_change", "study_phase_change", "field_update", "disappeared", "correction", "evidence_update", "raw_update", "first_listed"]
SortValue4: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "developer", "type_std", "status_std", "plant_state", "capacity_mw", "incremental_mw", "queue_date", "cod", "construction_stage", "construction_stage_confidence", "study_phase", "ia_status", "investability_score", "effective_credit_rate", "estimated_credit_value"]
AboutValue: TypeAlias = Literal["project_field", "developer_link", "identifier", "ownership"]
FieldValue2: TypeAlias = Literal["id", "queue_id", "name", "region", "state", "county", "counties", "fips", "developer", "developer_tier", "developer_id", "developer_canonical", "type", "type_std", "kind", "status", "status_std", "status_basis", "status_evidence", "status_flag", "listed", "plant_state", "plant_state_basis", "plant_state_evidence", "plant_report", "plant_reported_on", "construction_begun_by", "request_class", "capacity_mw", "capacity_basis", "incremental_mw", "added_type_std", "operating_mw", "components", "summer_mw", "winter_mw", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "security_posted", "construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed", "ia_status", "ia_status_filed", "poi", "poi_id", "utility", "cluster", "service", "lat", "lon", "location_precision", "energy_community_eligible", "low_income_eligible", "domestic_content_eligible", "domestic_content_basis", "tax_credit_type", "tax_credit_status", "tax_credit_pct", "estimated_credit_value", "effective_credit_rate", "needs_capital", "investable", "p_cod_36", "investability_score", "feed", "first_seen_at", "last_changed_at", "missing_since", "version"]
EventValue: TypeAlias = Literal["news.recorded", "filing.recorded", "raise.recorded", "ownership.changed"]
EventTypeValue2: TypeAlias = Literal["distress", "litigation", "ma", "financing", "project", "mention", "ownership_change", "queue_developer_change"]
GradeValue: TypeAlias = Literal["A", "B", "C", "D", "F"]
FieldValue3: TypeAlias = Literal["queue_id", "name", "state", "county", "counties", "fips", "developer", "type", "type_std", "kind", "status", "status_std", "status_basis", "status_flag", "plant_state", "plant_state_basis", "plant_state_evidence", "plant_report", "plant_reported_on", "construction_begun_by", "request_class", "capacity_mw", "capacity_basis", "incremental_mw", "added_type_std", "operating_mw", "components", "summer_mw", "winter_mw", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "security_posted", "construction_stage", "construction_stage_confidence", "study_phase", "study_phase_filed", "ia_status", "ia_status_filed", "poi", "poi_id", "utility", "cluster", "service", "lat", "lon", "location_precision", "owners"]
TaxCreditActivityValue: TypeAlias = Literal["none", "low", "medium", "high"]
StatusBasisValue: TypeAlias = Literal["filed", "milestone", "date", "other_source", "outcome_sheet", "absence"]
PlantStateBasisValue: TypeAlias = Literal["operator", "operator_update_sheet", "eia_860", "eia_860m", "eia_epm", "lbnl", "date_only"]
StudyPhaseValue: TypeAlias = Literal["Not Started", "Feasibility", "SIS", "Facilities", "GIA", "IA Executed"]
IaStatusValue: TypeAlias = Literal["Withdrawn", "In Progress (unknown study)", "System Impact Study", "IA Executed", "Facility Study", "Feasibility Study", "Operational", "Construction"]
TaxCreditStatusValue: TypeAlias = Literal["eligible", "conditional", "terminated", "ineligible", "requires_determination"]
PaidByValue: TypeAlias = Literal["plan", "x402", "mpp", "card"]
StateValue2: TypeAlias = Literal["claimed", "settling", "settled", "failed", "unknown", "released"]
FormatValue5: TypeAlias = Literal["workbook", "csv", "json", "xml"]
PlanValue: TypeAlias = Literal["Free", "Growth", "Scale", "Enterprise"]
MatchMethodValue: TypeAlias = Literal["developer_exact", "developer_alias", "developer_distinct", "developer_prefix", "developer_fuzzy", "issuer_cik", "project_name", "none"]
LocationPrecisionValue: TypeAlias = Literal["site", "street", "area", "city", "county", "poi", "state"]
LocationPrecisionValue2: TypeAlias = Literal["site", "street", "area", "city", "county"]
TypeValue: TypeAlias = Literal["change.recorded", "watchlist.entered", "watchlist.left", "digest.daily", "changes.recorded", "usage.reached", "webhook.test", "webhook.challenge"]
MatchedOnValue: TypeAlias = Literal["title", "url", "title_project", "organizations", "body"]
TierValue: TypeAlias = Literal["free", "standard", "premium", "pro"]
OutcomeValue: TypeAlias = Literal["found", "ambiguous", "contradicted", "gone", "not_found"]
MethodValue: TypeAlias = Literal["id", "number", "former_number", "cluster", "lbnl_number", "lbnl_name", "eia_plant", "eia_generator", "name", "plant_name", "point"]
TypeValue2: TypeAlias = Literal["text", "number", "date", "boolean"]
ChangeTypeValue3: TypeAlias = Literal["new_project", "status_change", "capacity_change", "component_change", "cod_change", "developer_change", "study_phase_change", "field_update", "disappeared", "correction", "evidence_update", "first_listed"]
LevelValue: TypeAlias = Literal["unknown", "Low", "Moderate", "Elevated", "High"]
MissingValue: TypeAlias = Literal["schedule", "withdrawals", "costs", "news", "filings", "form_d"]
TypeValue3: TypeAlias = Literal["string", "double", "int32", "int64", "boolean", "date", "timestamp", "list", "geometry"]
StateValue3: TypeAlias = Literal["ok", "unchanged", "failing", "paused"]
MethodValue2: TypeAlias = Literal["developer_exact", "developer_alias", "developer_distinct", "developer_prefix", "developer_fuzzy"]
MethodValue3: TypeAlias = Literal["filed_company", "eia_entity", "eia_owner", "eia_former_entity", "same_company", "replaced_plant"]
RelationValue: TypeAlias = Literal["successor_of", "sibling", "alternative_of", "predecessor_of"]
ClassValue: TypeAlias = Literal["matched", "timing", "definition", "missing_there", "missing_here", "ours_wrong", "unexplained"]
ClassValue2: TypeAlias = Literal["sheet_new", "sheet_gone", "sheet_renamed", "rows_jumped", "column_new", "column_gone", "column_renamed", "type_changed", "nulls_jumped", "word_new"]
MethodValue4: TypeAlias = Literal["GET", "POST", "PATCH", "DELETE"]
SchemeValue: TypeAlias = Literal["cik", "lei", "eia_utility", "eia_entity"]
MethodValue5: TypeAlias = Literal["legal_name", "name", "alias", "correction"]
ReasonValue: TypeAlias = Literal["void_window", "capacity_rights", "replacement", "surplus", "in_operation"]
StatusValue3: TypeAlias = Literal["eligible", "possible", "ineligible", "unknown"]


class BuyCreditsResponse(TypedDict):
    token: str
    balance_usd: float  # USD
    hint: str


class CalculateTaxCreditsResponse(TypedDict):
    data: CalculateTaxCreditsResponseData


class ChangeCreditsResponse(TypedDict):
    balance_usd: float  # USD
    hint: str
    daily_cap_usd: float | None
    spent_today_usd: float  # USD
    created_at: str


class ChangeKeyResponse(TypedDict):
    hint: str
    daily_queries: int | None


class SavedQuery(TypedDict):
    query_id: int
    name: str
    sql: str
    database: DatabaseValue
    parameters: list[SavedQueryParameter]
    created_at: str
    changed_at: str


class Watchlist(TypedDict):
    watchlist_id: int
    name: str
    filters: WatchlistFilters
    requests: int | None
    seq: int | None
    created_at: str
    expires_at: str | None


class Webhook(TypedDict):
    webhook_id: int
    url: str
    format: FormatValue
    filters: WebhookFilters | None
    watchlist_id: int | None
    include_row: bool
    digest: Literal["daily"] | None
    events: list[Literal["changes", "usage"]]
    enabled: bool
    proven: bool
    disabled_at: str | None
    disabled_reason: str | None
    seq: int
    pending: int
    old_secret_until: str | None
    created_at: str


class CompareDaysResponseData(TypedDict):
    id: str
    region: str
    name: str | None
    change: Literal["added", "removed", "changed"]
    before: CompareDaysResponseDataBefore | None
    after: CompareDaysResponseDataAfter | None


CompareDaysResponse = TypedDict(
    "CompareDaysResponse",
    {
        "data": "list[CompareDaysResponseData]",
        "meta": "CompareDaysResponseMeta",
        "from": "ComparedProject",
        "to": "ComparedProject",
        "added": "ProjectSum",
        "removed": "ProjectSum",
        "changed": "ProjectSum",
        "unchanged": "ProjectSum",
        "matrix": "list[CompareDaysResponseMatrix]",
    },
)


class ConfirmAlertsResponse(TypedDict):
    email: str
    note: str


class ConfirmEmailResponse(TypedDict):
    email: str
    email_verified: Literal[True]


class CreateWebhookResponse(TypedDict):
    webhook_id: int
    url: str
    format: FormatValue
    filters: CreateWebhookResponseFilters | None
    watchlist_id: int | None
    include_row: bool
    digest: Literal["daily"] | None
    events: list[Literal["changes", "usage"]]
    enabled: bool
    proven: bool
    disabled_at: str | None
    disabled_reason: str | None
    seq: int
    pending: int
    old_secret_until: str | None
    created_at: str
    secret: str


class DeleteAccountResponse(TypedDict):
    deleted_at: str
    deleted: list[str]
    retained: list[str]


class DeleteSavedQueryResponse(TypedDict):
    pass


class DeleteWatchlistResponse(TypedDict):
    pass


class DeleteWebhookResponse(TypedDict):
    pass


class DescribeDatasetResponse(TypedDict):
    name: DatasetValue
    title: str
    description: str
    database: DatabaseValue
    endpoints: list[str]
    records: int | None
    last_changed: str | None
    sample: bool | None
    sources: list[DatasetSource]
    not_answered: list[str]
    missing: list[str]
    not_available: list[str]


class ExportAccountResponse(TypedDict):
    account: ExportAccountResponseAccount
    keys: list[ExportAccountResponseKeys]
    connections: list[ExportAccountResponseConnections]
    usage: list[ExportAccountResponseUsage]
    requests_total: int
    requests: list[ExportAccountResponseRequests]
    mails: list[ExportAccountResponseMails]
    watchlists: list[Watchlist]
    webhooks: list[Webhook]
    saved_queries: list[SavedQuery]
    notes: list[str]


class GetAsyncapiResponse(TypedDict):
    asyncapi: Literal["3.0.0"]


class GetCapitalLeaderboardResponseData(TypedDict):
    developer_id: int
    developer: str
    tier: DeveloperTierValue
    company_kind: Literal["sponsor", "special_purpose"] | None
    capital_raised: float | None
    raise_count: int
    latest_raise: str | None
    operational_capacity_mw: float  # MW
    active_capacity_mw: float  # MW
    late_stage_mw: float  # MW
    capital_per_operational_mw: float | None
    financing_events: int
    ma_events: int
    distress_events: int
    litigation_events: int
    withdrawal_rate: float | None
    active_projects: int
    behind_schedule: int
    high_ic_cost_projects: int | None
    max_ic_cost_per_kw: float | None
    distress_signal: DistressSignal
    coverage: GetCapitalLeaderboardResponseDataCoverage


class GetCatalogResponse(TypedDict):
    name: str
    version: str
    total_endpoints: int
    mcp: str
    resources: list[GetCatalogResponseResources]


class GetChangesExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetChangesExportManifestResponseColumns]
    seq: NotRequired[int]


class GetCoverageResponse(TypedDict):
    generated_at: str
    queues: list[GetCoverageResponseQueues]
    entities: list[GetCoverageResponseEntities]
    changes: GetCoverageResponseChanges
    developers: GetCoverageResponseDevelopers
    eia860: list[GetCoverageResponseEia860]
    dg: list[GetCoverageResponseDg]
    datacenters: list[SourceSpan]
    load_requests: list[GetCoverageResponseLoadRequests]
    market: list[MarketCoverage]
    news: GetCoverageResponseNews
    capital_raises: GetCoverageResponseCapitalRaises
    material_events: GetCoverageResponseMaterialEvents
    ma_events: GetCoverageResponseMaEvents
    scoring: list[GetCoverageResponseScoring]
    sample: bool
    sample_databases: list[DatabaseValue]
    missing: list[CoverageGap]
    not_available: list[str]


class GetCreditsResponse(TypedDict):
    balance_usd: float  # USD
    hint: str
    daily_cap_usd: float | None
    spent_today_usd: float  # USD
    created_at: str


class GetDataCatalogResponse(TypedDict):
    datasets: list[Dataset]
    not_available: list[str]


class GetDeveloperResponse(TypedDict):
    data: GetDeveloperResponseData
    meta: NotRequired[GetDeveloperResponseMeta]


class GetDeveloperCapitalResponse(TypedDict):
    developer_id: int
    developer: str
    tier: DeveloperTierValue
    company_kind: Literal["sponsor", "special_purpose"] | None
    capital_raised: float | None
    raise_count: int
    latest_raise: str | None
    operational_capacity_mw: float  # MW
    active_capacity_mw: float  # MW
    late_stage_mw: float  # MW
    capital_per_operational_mw: float | None
    raises: list[GetDeveloperCapitalResponseRaises]
    behind_schedule_projects: int
    cod_slipped_projects: int
    stuck_in_queue_projects: int
    high_ic_cost_projects: int | None
    max_ic_cost_per_kw: float | None
    signal_events: GetDeveloperCapitalResponseSignalEvents
    distress_signal: DistressSignal
    coverage: GetDeveloperCapitalResponseCoverage
    needs_capital: bool | None
    needs_capital_reasons: list[str]
    tax_credit_activity: TaxCreditActivityValue


class GetDeveloperHistoryResponseData(TypedDict):
    day: str
    total_projects: int
    total_capacity_mw: float  # MW
    active_projects: int
    active_capacity_mw: float  # MW
    operational_projects: int
    operating_capacity_mw: float  # MW
    withdrawn_projects: int


class GetDeveloperStatsResponse(TypedDict):
    total_developers: int
    by_tier: list[GetDeveloperStatsResponseByTier]
    needs_capital_count: int | None
    active_states_avg: float  # states
    meta: NotRequired[GetDeveloperStatsResponseMeta]


class GetDevelopersExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetDevelopersExportManifestResponseColumns]


class GetDgStatsResponse(TypedDict):
    data: GetDgStatsResponseData


class Dispute(TypedDict):
    dispute_id: int
    state: Literal["open", "accepted", "refused"]
    about: AboutValue
    project_id: str | None
    field: str | None
    developer_id: int | None
    identifier: str | None
    stated: str | None
    opened_at: str
    settled_at: str | None
    decision: str | None


class GetExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetExportManifestResponseColumns]
    seq: NotRequired[int]


class GetFileResponse(TypedDict):
    sha256: str
    bytes: int  # bytes
    archived_at: str
    publisher: str
    licence: str
    may_be_passed_on: bool
    loads: list[GetFileResponseLoads]


class GetFreshnessResponse(TypedDict):
    checked_at: str
    pipelines: list[PipelineFreshness]
    stale: list[str]
    never: list[str]
    _status_dist: list[GetFreshnessResponse_statusDist]
    stale_count: int
    never_count: int


class GetHealthResponse(TypedDict):
    status: str
    version: str
    timestamp: str


class GetHealthDetailedResponse(TypedDict):
    status: str
    databases: list[DatabaseHealth]


class GetManifestResponse(TypedDict):
    name: str
    version: str
    description: str
    links: GetManifestResponseLinks
    mcp_server: str | None
    plans: list[str]
    contact: str | None


class GetManifestFileResponse(TypedDict):
    name: str
    version: str
    capabilities: list[str]
    links: dict[str, str]


class GetOpenapiResponse(TypedDict):
    openapi: Literal["3.1.0"]


class GetOwnershipResponse(TypedDict):
    queue_id: str
    region: IsoValue
    owners: list[Owner]
    plant: GetOwnershipResponsePlant | None
    coverage: list[GetOwnershipResponseCoverage]
    years: list[int]
    meta: NotRequired[GetOwnershipResponseMeta]


class GetPlantsExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetPlantsExportManifestResponseColumns]


class GetPoiResponse(TypedDict):
    poi_id: str
    name: str
    voltage_kv: float | None
    region: IsoValue
    utility: str | None
    state: str | None
    county: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    requests: int
    capacity_mw: float  # MW
    active_requests: int
    active_mw: float  # MW
    operational_requests: int
    withdrawn_requests: int
    withdrawn_mw: float  # MW
    aliases: list[GetPoiResponseAliases]
    by_status: list[GetPoiResponseByStatus]
    by_stage: list[GetPoiResponseByStage]
    waiting: list[GetPoiResponseWaiting]
    related: list[GetPoiResponseRelated]
    upgrade_costs: CostSummary | None


class GetPricesExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetPricesExportManifestResponseColumns]


class GetPricingInfoResponse(TypedDict):
    pricing_by_tier: GetPricingInfoResponsePricingByTier
    endpoints: GetPricingInfoResponseEndpoints
    rails_enabled: GetPricingInfoResponseRailsEnabled
    notes: list[str]


class GetProjectResponse(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: IsoValue
    state: str | None
    county: str | None
    counties: list[str]
    fips: str | None
    developer: str | None
    developer_tier: DeveloperTierValue | None
    developer_id: int | None
    developer_canonical: str | None
    type: str | None
    type_std: TechnologyValue | str
    kind: KindValue
    status: str | None
    status_std: OldStatusStdValue
    status_basis: StatusBasisValue | None
    status_evidence: str | None
    status_flag: Literal["at_risk", "retired", "void_window"] | None
    listed: Literal["listed", "missing", "disappeared"]
    plant_state: PlantStateValue
    plant_state_basis: PlantStateBasisValue | None
    plant_state_evidence: str | None
    plant_report: Literal["planned", "under_construction", "cancelled"] | None
    plant_reported_on: str | None
    construction_begun_by: str | None
    request_class: RequestClassValue
    capacity_mw: float | None
    capacity_basis: Literal["injection_limit", "net_change"]
    incremental_mw: float | None
    added_type_std: str | None
    operating_mw: float | None
    components: list[GetProjectResponseComponents]
    summer_mw: float | None
    winter_mw: float | None
    queue_date: str | None
    queue_date_current: str | None
    cod: str | None
    actual_cod: str | None
    withdrawn_date: str | None
    ia_date: str | None
    backfeed_date: str | None
    energized_date: str | None
    security_posted: bool | None
    construction_stage: ConstructionStageValue
    construction_stage_confidence: float  # fraction
    study_phase: StudyPhaseValue | None
    study_phase_filed: str | None
    ia_status: IaStatusValue
    ia_status_filed: str | None
    poi: str | None
    poi_id: str | None
    utility: str | None
    cluster: str | None
    service: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    energy_community_eligible: bool | None
    low_income_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    tax_credit_pct: float | None
    estimated_credit_value: float | None
    effective_credit_rate: float | None
    needs_capital: bool | None
    investable: bool | None
    p_cod_36: float | None
    investability_score: int | None
    feed: str
    first_seen_at: str
    last_changed_at: str
    missing_since: str | None
    version: int
    score_basis: NotRequired[Literal["published", "unpublished"]]
    score_version: NotRequired[int | None]
    aliases: list[str]
    developer_match: GetProjectResponseDeveloperMatch | None
    relations: list[GetProjectResponseRelations] | None
    raw: dict[str, str]


class ProjectState(TypedDict):
    version: int
    valid_from: str
    valid_to: str | None
    reason: Literal["list", "derived"]
    backfilled: bool
    snapshot_id: int
    file: ProjectStateFile | None
    differences: list[ProjectStateDifferences]


class Origin(TypedDict):
    field: str
    value: str | float | bool | list[str] | list[OriginValue] | None
    file: str | None
    sha256: str | None
    sheet: str | None
    row: int | None
    column: str | None
    header: str | None
    raw: str | None
    rule: str
    confidence: float | None
    inputs: list[OriginInputs]
    facts: list[str]
    citations: list[OriginCitations]
    overruled: list[OriginOverruled]
    evidence: OriginEvidence | None
    see: str | None


class GetProjectProvenanceResponse(TypedDict):
    project_id: str
    data: list[Origin]
    files: list[SourceFile]


class ProjectCredit(TypedDict):
    project_id: str
    data: ProjectCreditData | None


class GetQueryResponse(TypedDict):
    data: list[dict[str, Any]]
    meta: GetQueryResponseMeta


class GetQuerySchemaResponse(TypedDict):
    databases: list[GetQuerySchemaResponseDatabases]
    limits: GetQuerySchemaResponseLimits
    functions: list[str]
    macros: list[QueryMacro]


class GetQueueIntegrityResponse(TypedDict):
    snapshot: GetQueueIntegrityResponseSnapshot
    meta: GetQueueIntegrityResponseMeta
    alerts: list[GetQueueIntegrityResponseAlerts]
    has_baseline: bool


class GetReceiptResponse(TypedDict):
    request_id: str
    operation: str
    at: str
    paid_by: PaidByValue
    queries: int
    amount_usd: float  # USD
    state: StateValue2 | None
    network: str | None
    payer: str | None
    reference: str | None


class Reconciliation(TypedDict):
    source: Literal["lbnl", "eia860", "operator"]
    region: RegionValue
    title: str
    edition: str
    compared_on: str
    sha256: str | None
    ours: ReconciliationOurs
    theirs: ReconciliationTheirs
    unexplained_mw: float  # MW
    unexplained_share: float  # fraction
    matched_by: dict[str, int]
    statuses: list[ReconciliationStatuses]
    examples: list[ReconciliationExamples]
    notes: list[str]


class GetReconciliationResponse(TypedDict):
    computed_at: str | None
    data: list[Reconciliation]
    rules: dict[str, str]


class Score(TypedDict):
    project_id: str
    investability_score: int
    grade: GradeValue
    components: ScoreComponents | None
    explanation: str
    scored: bool
    investable: bool
    deductions: list[ScoreDeductions]
    p_cod_24: Chance | None
    p_cod_36: Chance | None
    p_energized_24: Chance | None
    p_energized_36: Chance | None
    p_reason: Literal["suspended", "too_few_outcomes"] | None
    p_credit: float | None
    expected_credit_value: float | None
    confidence: float | None
    score_version: int
    inputs: dict[str, Any]
    inputs_hash: str
    facts_as_of: str | None
    facts_age_days: int | None
    interconnection_cost: InterconnectionCost | None
    scored_at: str
    as_of: NotRequired[str]
    basis: NotRequired[Literal["published"]]
    in_sample: NotRequired[bool]


class GetScoreBacktestResponse(TypedDict):
    score_version: int
    fitted: list[GetScoreBacktestResponseFitted]
    reference: list[GetScoreBacktestResponseReference]
    origins: list[GetScoreBacktestResponseOrigins]
    operators: list[GetScoreBacktestResponseOperators]
    overall: GetScoreBacktestResponseOverall
    by_chance: list[GetScoreBacktestResponseByChance]
    late_energized: GetScoreBacktestResponseLateEnergized
    left_out: list[GetScoreBacktestResponseLeftOut]
    reported: list[GetScoreBacktestResponseReported]
    cannot_know: list[str]
    limits: list[str]


class GetScoreHistoryResponseData(TypedDict):
    day: str
    until: str | None
    investability_score: int
    grade: GradeValue
    investable: bool
    score_version: int
    inputs_hash: str
    in_sample: bool
    inputs: list[InputDifference]
    components: dict[str, int]


class GetScoresExportManifestResponse(TypedDict):
    format: FormatValue3
    media_type: str
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    data_version: int
    generated_at: str
    filters: dict[str, str | float | bool]
    columns: list[GetScoresExportManifestResponseColumns]


class SourceContract(TypedDict):
    source: str
    region: str
    outcome: Literal["applied", "quarantined"]
    format: FormatValue5
    as_of: str
    layout_since: str
    snapshot_id: int
    sha256: str
    layout: str
    compared_with: SourceContractComparedWith | None
    not_compared: Literal["first_list", "another_format"] | None
    unknown_words: list[UnknownWord]
    mapped_words: list[MappedWord]
    drift: list[SourceDrift]
    sheets: list[SourceContractSheets]


class GetSourceContractsResponse(TypedDict):
    data: list[SourceContract]


class GetSourceFreshnessResponse(TypedDict):
    timestamp: str
    total_sources: int
    sources: list[SourceFreshness]


class GetStatsResponse(TypedDict):
    data: GetStatsResponseData
    meta: NotRequired[GetStatsResponseMeta]


class GetUsageResponse(TypedDict):
    key: GetUsageResponseKey
    email: str | None
    email_verified: bool
    plan: PlanValue
    month: str
    used: int
    monthly_queries: int | None
    remaining: int | None
    resets_at: str
    per_minute: int | None
    key_day: GetUsageResponseKeyDay | None
    last_24_hours: int
    by_operation: list[GetUsageResponseByOperation]
    by_day: list[GetUsageResponseByDay]
    alerts: list[GetUsageResponseAlerts]
    notices: list[WebhookNotice] | None


class GetWatchlistResponseData(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: IsoValue
    state: str | None
    county: str | None
    counties: list[str]
    fips: str | None
    developer: str | None
    developer_tier: DeveloperTierValue | None
    developer_id: int | None
    developer_canonical: str | None
    type: str | None
    type_std: TechnologyValue | str
    kind: KindValue
    status: str | None
    status_std: OldStatusStdValue
    status_basis: StatusBasisValue | None
    status_evidence: str | None
    status_flag: Literal["at_risk", "retired", "void_window"] | None
    listed: Literal["listed", "missing", "disappeared"]
    plant_state: PlantStateValue
    plant_state_basis: PlantStateBasisValue | None
    plant_state_evidence: str | None
    plant_report: Literal["planned", "under_construction", "cancelled"] | None
    plant_reported_on: str | None
    construction_begun_by: str | None
    request_class: RequestClassValue
    capacity_mw: float | None
    capacity_basis: Literal["injection_limit", "net_change"]
    incremental_mw: float | None
    added_type_std: str | None
    operating_mw: float | None
    components: list[GetWatchlistResponseDataComponents]
    summer_mw: float | None
    winter_mw: float | None
    queue_date: str | None
    queue_date_current: str | None
    cod: str | None
    actual_cod: str | None
    withdrawn_date: str | None
    ia_date: str | None
    backfeed_date: str | None
    energized_date: str | None
    security_posted: bool | None
    construction_stage: ConstructionStageValue
    construction_stage_confidence: float  # fraction
    study_phase: StudyPhaseValue | None
    study_phase_filed: str | None
    ia_status: IaStatusValue
    ia_status_filed: str | None
    poi: str | None
    poi_id: str | None
    utility: str | None
    cluster: str | None
    service: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    energy_community_eligible: bool | None
    low_income_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    tax_credit_pct: float | None
    estimated_credit_value: float | None
    effective_credit_rate: float | None
    needs_capital: bool | None
    investable: bool | None
    p_cod_36: float | None
    investability_score: int | None
    feed: str
    first_seen_at: str
    last_changed_at: str
    missing_since: str | None
    version: int


class GroupProjectsResponseData(TypedDict):
    value: str | None
    state: str | None
    county: str | None
    fips: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    requests: int
    capacity_mw: float  # MW
    median_capacity_mw: float | None
    median_days_waiting: float | None
    median_p_cod_36: float | None
    stages: list[GroupProjectsResponseDataStages] | None


class ListArchiveResponse(TypedDict):
    files: list[ListArchiveResponseFiles]


class CapitalRaise(TypedDict):
    accession_number: str
    filing_date: str
    is_amendment: Literal[0] | Literal[1]
    issuer_name: str
    cik: str
    entity_type: str | None
    jurisdiction: str | None
    issuer_city: str | None
    issuer_state: str | None
    year_of_inc: str | None
    industry_group: str | None
    total_offering_amount: float | None
    total_amount_sold: float | None
    date_of_first_sale: str | None
    is_equity: Literal[0] | Literal[1]
    is_debt: Literal[0] | Literal[1]
    related_persons: list[CapitalRaiseRelatedPersons]
    energy_keyword: Literal[0] | Literal[1]
    developer_canonical: str | None
    project_name: str | None
    match_method: MatchMethodValue
    match_confidence: float | None
    matched_text: str | None
    chain: str
    is_latest: bool


class Change(TypedDict):
    seq: int
    detected_at: str
    project_id: str | None
    queue_id: str | None
    region: IsoValue
    kind: KindValue | None
    change_type: ChangeTypeValue2
    field_name: str | None
    old_value: str | None
    new_value: str | None
    project_name: str | None
    developer_canonical: str | None
    capacity_mw: float | None
    type_std: str | None
    state: str | None
    backfilled: bool


class ListChangesResponse2Data(TypedDict):
    seq: int
    detected_at: str
    project_id: str | None
    queue_id: str | None
    region: IsoValue
    kind: KindValue | None
    change_type: ChangeTypeValue2
    field_name: str | None
    old_value: str | None
    new_value: str | None
    project_name: str | None
    developer_canonical: str | None
    capacity_mw: float | None
    type_std: str | None
    state: str | None
    backfilled: bool
    project: NotRequired[ListChangesResponse2DataProject | None]


class PlannedDatacenter(TypedDict):
    record: Literal["proposal", "load_request"]
    id: str
    kind: Literal["facility", "other"]
    name: str | None
    region: IsoValue | None
    queue_id: str | None
    kind_filed: str | None
    known_by: Literal["end_use", "name"] | None
    status_std: StatusValue2 | None
    status: str | None
    outcome_detail: str | None
    capacity_mw: float | None
    companies: list[str]
    state: str | None
    county: str | None
    counties: list[str]
    town: str | None
    address: str | None
    lat: float | None
    lon: float | None
    location_precision: LocationPrecisionValue | None
    size_acres: float | None
    announced: str | None
    opening_year: int | None
    queue_date: str | None
    cod: str | None
    poi: str | None
    utility: str | None
    zoning_allowed: bool | None
    land_sold: bool | None
    own_generation: bool | None
    source: str
    as_of: str | None
    updated_on: str | None


class ListDatacentersResponseData(TypedDict):
    id: str
    same_as: str | None
    name: str | None
    operator: str | None
    status: StatusValue2 | None
    status_filed: str | None
    facility_type: str | None
    address: str | None
    city: str | None
    county: str | None
    state: str
    lat: float | None
    lon: float | None
    location_precision: LocationPrecisionValue2 | None
    capacity_mw: float | None
    energy_low_mwh_year: float | None
    energy_high_mwh_year: float | None
    market: str | None
    year_opened: int | None
    may_repeat: bool
    source: str
    as_of: str | None


class Delivery(TypedDict):
    delivery_id: int
    message_id: str
    type: TypeValue
    seq: int | None
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    latency_ms: float | None
    answer_status: int | None
    answer_start: str | None
    error: str | None
    created_at: str
    last_attempt_at: str | None
    next_attempt_at: str | None


class ListDeveloperEventsResponseData(TypedDict):
    event_type: EventTypeValue
    title: str
    url: str
    domain: str
    published_at: str
    source: str
    matched_on: MatchedOnValue
    matched_text: str
    match_confidence: float  # fraction
    subject: Literal["us_business", "parent"]
    source_country: str | None
    copies: int


class PortfolioProject(TypedDict):
    id: str
    name: str | None
    state: str | None
    capacity_mw: float | None
    stage: ConstructionStageValue


class Developer(TypedDict):
    developer_id: int
    canonical_name: str
    tier: DeveloperTierValue
    total_projects: int
    total_capacity_mw: float  # MW
    operating_capacity_mw: float  # MW
    in_construction_mw: float  # MW
    active_capacity_mw: float  # MW
    withdrawn_projects: int
    operational_projects: int
    completion_rate: float | None
    states_active: list[str]
    primary_technologies: list[str]
    needs_capital: bool | None
    company_kind: Literal["sponsor", "special_purpose"]
    company_group: str | None


class DistributedGeneration(TypedDict):
    id: str
    kind: Literal["installation", "utility_total", "area_total"]
    source: SourceValue
    edition: str
    published_on: str | None
    program: Literal["net_metering", "virtual_net_metering", "non_net_metering"] | None
    state: str | None
    county: str | None
    fips: str | None
    area: str | None
    area_type: AreaTypeValue | None
    city: str | None
    zone: str | None
    utility_id: int | None
    utility: str | None
    balancing_authority: str | None
    name: str | None
    developer: str | None
    technology: TechnologyValue | str | None
    technology_filed: str | None
    sector: SectorValue | None
    capacity_mw: float | None
    capacity_kw: float | None
    capacity_basis: Literal["AC", "DC"] | None
    storage_mwh: float | None
    customers: int | None
    facilities: int | None
    generators: int | None
    energy_sold_back_mwh: float | None
    backup_mw: float | None
    utility_owned_mw: float | None
    adjustment: bool
    in_totals: bool
    year: int | None
    in_service_on: str | None


class NewsEvent(TypedDict):
    developer_canonical: str
    event_type: EventTypeValue
    title: str
    url: str
    domain: str
    published_at: str
    source: str
    matched_on: MatchedOnValue
    matched_text: str
    match_confidence: float  # fraction
    subject: Literal["us_business", "parent"]
    source_country: str | None
    copies: int


class Generator(TypedDict):
    plant_id: int
    generator_id: str
    plant_name: str | None
    utility_id: int | None
    utility_name: str | None
    state: str | None
    county: str | None
    stage: Literal["operable", "proposed", "retired"]
    status: str | None
    status_text: str | None
    technology: str | None
    type_std: TechnologyValue
    prime_mover: str | None
    capacity_mw: float | None
    summer_mw: float | None
    operating_year: int | None
    schedules: list[str]
    source: str
    year: int
    as_of: str | None


class ListIntegrityFindingsResponseData(TypedDict):
    id: str
    region: str
    name: str | None
    cod: str | None
    capacity_mw: float | None
    last_changed_at: str
    status: str | None
    status_std: OldStatusStdValue
    queue_date: str | None
    actual_cod: str | None
    energized_date: str | None
    withdrawn_date: str | None


class InvestableProject(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: RegionValue
    state: str | None
    county: str | None
    developer: str | None
    developer_canonical: str | None
    developer_tier: DeveloperTierValue
    type_std: TechnologyValue | str
    capacity_mw: float | None
    cod: str | None
    construction_stage: ConstructionStageValue
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    effective_credit_rate: float | None
    estimated_credit_value: float | None
    p_credit: float | None
    expected_credit_value: float | None
    investability_score: int
    grade: GradeValue
    p_cod_24: float | None
    p_cod_24_low: float | None
    p_cod_24_high: float | None
    p_cod_36: float | None
    p_cod_36_low: float | None
    p_cod_36_high: float | None
    p_energized_24: float | None
    p_energized_24_low: float | None
    p_energized_24_high: float | None
    p_energized_36: float | None
    p_energized_36_low: float | None
    p_energized_36_high: float | None
    comparable_requests: int | None
    p_reason: Literal["suspended", "too_few_outcomes"] | None
    incremental_mw: float | None
    facts_as_of: str | None
    security_posted: bool | None
    network_upgrade_usd_per_kw: float | None
    explanation: str


class ItcDeal(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: RegionValue
    state: str | None
    county: str | None
    developer: str | None
    developer_canonical: str | None
    developer_tier: DeveloperTierValue
    type_std: TechnologyValue | str
    capacity_mw: float | None
    cod: str | None
    construction_stage: ConstructionStageValue
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    effective_credit_rate: float | None
    estimated_credit_value: float | None
    p_credit: float | None
    expected_credit_value: float | None
    investability_score: int
    grade: GradeValue
    p_cod_24: float | None
    p_cod_24_low: float | None
    p_cod_24_high: float | None
    p_cod_36: float | None
    p_cod_36_low: float | None
    p_cod_36_high: float | None
    p_energized_24: float | None
    p_energized_24_low: float | None
    p_energized_24_high: float | None
    p_energized_36: float | None
    p_energized_36_low: float | None
    p_energized_36_high: float | None
    comparable_requests: int | None
    p_reason: Literal["suspended", "too_few_outcomes"] | None
    facts_as_of: str | None
    security_posted: bool | None
    network_upgrade_usd_per_kw: float | None
    base_credit_pct: float  # fraction
    at_risk_rate: float | None
    energy_community_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    low_income_eligible: bool | None
    cod_year: int
    energy_community_notice: str | None
    warnings: list[str]


class MaEvent(TypedDict):
    event_type: Literal["ownership_change", "queue_developer_change"]
    asset_class: Literal["operating", "queue_project"]
    effective_date: str
    plant_id_eia: int | None
    generator_id: str | None
    queue_id: str | None
    region: IsoValue | None
    asset_name: str | None
    capacity_mw: float | None
    technology: str | None
    state: str | None
    seller: str | None
    seller_canonical: str | None
    buyer: str | None
    buyer_canonical: str | None
    fraction_owned: float | None
    source: Literal["eia_860_ownership", "eia_860_operator", "queue_snapshots"]
    confidence: Literal["high", "medium", "low"]
    reason: str


class ListMarketHubsResponseData(TypedDict):
    iso: RegionValue
    hub: str
    hub_id: str
    hub_type: HubTypeValue
    timezone: str
    finest_interval: Literal["hour", "month"]
    markets: list[ListMarketHubsResponseDataMarkets]


class MarketPrice(TypedDict):
    iso: RegionValue
    hub: str
    hub_id: str
    hub_type: HubTypeValue
    market: Literal["day_ahead", "real_time", "real_time_commitment"]
    interval: Literal["hour", "day", "month"]
    starts_at: str
    local_date: str
    hour_ending: str | None
    lmp_usd_mwh: float  # USD/MWh
    energy_usd_mwh: float | None
    congestion_usd_mwh: float | None
    loss_usd_mwh: float | None
    min_lmp_usd_mwh: float | None
    max_lmp_usd_mwh: float | None
    hours: int  # hours
    complete: bool
    timezone: str
    source: str
    published: str | None


class MaterialEvent(TypedDict):
    accession_number: str
    filing_date: str
    report_date: str | None
    form_type: str
    issuer_name: str
    cik: str
    items: list[str]
    categories: list[CategoryValue]
    event_type: Literal["financing", "ma", "distress"]
    url: str
    energy_keyword: Literal[0] | Literal[1]
    developer_canonical: str | None
    match_method: MatchMethodValue
    first_told: bool
    subsidiary_bankruptcy: bool | None


class ListPlansResponse(TypedDict):
    plans: list[ListPlansResponsePlans]
    price_per_call_usd: ListPlansResponsePricePerCallUsd


class Plant(TypedDict):
    plant_id: int
    name: str | None
    utility_id: int | None
    utility_name: str | None
    owners: list[str]
    sector: str | None
    street: str | None
    city: str | None
    county: str | None
    state: str | None
    zip: str | None
    lat: float | None
    lon: float | None
    nerc_region: str | None
    balancing_authority: str | None
    grid_owner: str | None
    grid_voltage_kv: float | None
    technologies: list[str]
    generators: int
    operable_mw: float | None
    proposed_mw: float | None
    retired_mw: float | None
    is_complete: bool
    linked_requests: int
    source: str
    year: int
    as_of: str | None


class Poi(TypedDict):
    poi_id: str
    name: str
    voltage_kv: float | None
    region: IsoValue
    utility: str | None
    state: str | None
    county: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    requests: int
    capacity_mw: float  # MW
    active_requests: int
    active_mw: float  # MW
    operational_requests: int
    withdrawn_requests: int
    withdrawn_mw: float  # MW


class ListProjectsResponseData(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: IsoValue
    state: str | None
    county: str | None
    counties: list[str]
    fips: str | None
    developer: str | None
    developer_tier: DeveloperTierValue | None
    developer_id: int | None
    developer_canonical: str | None
    type: str | None
    type_std: TechnologyValue | str
    kind: KindValue
    status: str | None
    status_std: OldStatusStdValue
    status_basis: StatusBasisValue | None
    status_evidence: str | None
    status_flag: Literal["at_risk", "retired", "void_window"] | None
    listed: Literal["listed", "missing", "disappeared"]
    plant_state: PlantStateValue
    plant_state_basis: PlantStateBasisValue | None
    plant_state_evidence: str | None
    plant_report: Literal["planned", "under_construction", "cancelled"] | None
    plant_reported_on: str | None
    construction_begun_by: str | None
    request_class: RequestClassValue
    capacity_mw: float | None
    capacity_basis: Literal["injection_limit", "net_change"]
    incremental_mw: float | None
    added_type_std: str | None
    operating_mw: float | None
    components: list[ListProjectsResponseDataComponents]
    summer_mw: float | None
    winter_mw: float | None
    queue_date: str | None
    queue_date_current: str | None
    cod: str | None
    actual_cod: str | None
    withdrawn_date: str | None
    ia_date: str | None
    backfeed_date: str | None
    energized_date: str | None
    security_posted: bool | None
    construction_stage: ConstructionStageValue
    construction_stage_confidence: float  # fraction
    study_phase: StudyPhaseValue | None
    study_phase_filed: str | None
    ia_status: IaStatusValue
    ia_status_filed: str | None
    poi: str | None
    poi_id: str | None
    utility: str | None
    cluster: str | None
    service: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    energy_community_eligible: bool | None
    low_income_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    tax_credit_pct: float | None
    estimated_credit_value: float | None
    effective_credit_rate: float | None
    needs_capital: bool | None
    investable: bool | None
    p_cod_36: float | None
    investability_score: int | None
    feed: str
    first_seen_at: str
    last_changed_at: str
    missing_since: str | None
    version: int
    score_basis: NotRequired[Literal["published", "unpublished"]]
    score_version: NotRequired[int | None]


class ListProvenanceRulesResponseData(TypedDict):
    rule: str
    sentence: str


class ListProvenanceRulesResponse(TypedDict):
    data: list[ListProvenanceRulesResponseData]


class ListWatchlistChangesResponseData(TypedDict):
    seq: int
    detected_at: str
    project_id: str | None
    queue_id: str | None
    region: IsoValue
    kind: KindValue | None
    change_type: ChangeTypeValue2
    field_name: str | None
    old_value: str | None
    new_value: str | None
    project_name: str | None
    developer_canonical: str | None
    capacity_mw: float | None
    type_std: str | None
    state: str | None
    backfilled: bool
    project: ListWatchlistChangesResponseDataProject | None
    event: Literal["entered", "left"] | None


class QuoteResponse(TypedDict):
    operation: str
    endpoint: str
    tier: TierValue
    price_usd: float  # USD
    rails: QuoteResponseRails
    queries: int
    needs_key: bool
    rows: int | None
    bytes: int | None  # bytes
    size_note: str | None
    quoted_at: str
    valid_until: str


class RecoverKeyResponse(TypedDict):
    key: str
    key_id: int
    hint: str
    plan: PlanValue
    monthly_queries: int | None
    per_minute: int | None
    daily_queries: int | None
    created_at: str
    revoked: list[str]


class IssuedKey(TypedDict):
    key: str
    key_id: int
    hint: str
    plan: PlanValue
    monthly_queries: int | None
    per_minute: int | None
    daily_queries: int | None
    created_at: str


class RequestKeyResponse(TypedDict):
    note: str


class ResolveResponse(TypedDict):
    q: str
    outcome: OutcomeValue
    project: ResolveResponseProject | None
    method: MethodValue | None
    confidence: float | None
    evidence: ResolveResponseEvidence | None
    reason: str | None
    alternatives: list[ResolveResponseAlternatives]
    alternatives_total: int


class ResolveManyResponseData(TypedDict):
    q: str
    outcome: OutcomeValue
    project: ResolveManyResponseDataProject | None
    method: MethodValue | None
    confidence: float | None
    evidence: ResolveManyResponseDataEvidence | None
    reason: str | None
    alternatives: list[ResolveManyResponseDataAlternatives]
    alternatives_total: int


class ResolveManyResponse(TypedDict):
    data: list[ResolveManyResponseData]


class RevokeKeyResponse(TypedDict):
    hint: str
    revoked_at: str


class RotateKeyResponse(TypedDict):
    key: str
    key_id: int
    hint: str
    plan: PlanValue
    monthly_queries: int | None
    per_minute: int | None
    daily_queries: int | None
    created_at: str
    replaces: str
    old_key_works_until: str


class RotateWebhookResponse(TypedDict):
    webhook_id: int
    url: str
    format: FormatValue
    filters: RotateWebhookResponseFilters | None
    watchlist_id: int | None
    include_row: bool
    digest: Literal["daily"] | None
    events: list[Literal["changes", "usage"]]
    enabled: bool
    proven: bool
    disabled_at: str | None
    disabled_reason: str | None
    seq: int
    pending: int
    old_secret_until: str | None
    created_at: str
    secret: str


class RunQueryResponse(TypedDict):
    data: list[dict[str, Any]]
    meta: RunQueryResponseMeta


class RunSavedQueryResponse(TypedDict):
    data: list[dict[str, Any]]
    meta: RunSavedQueryResponseMeta


class DeveloperHit(TypedDict):
    kind: Literal["developer"]
    developer_id: int
    name: str
    match_score: float  # fraction
    project_count: int
    total_capacity_mw: float  # MW


class ProjectHit(TypedDict):
    kind: Literal["project"]
    id: str
    name: str | None
    region: str
    status_std: OldStatusStdValue
    developer: str | None
    capacity_mw: float | None
    state: str | None


class CountyHit(TypedDict):
    kind: Literal["county"]
    name: str
    state: str | None
    fips: str | None
    project_count: int
    total_capacity_mw: float  # MW


class PoiHit(TypedDict):
    kind: Literal["poi"]
    poi_id: str
    name: str
    state: str | None
    project_count: int
    total_capacity_mw: float  # MW


class SearchResponse(TypedDict):
    query: str
    corrected: NotRequired[str]
    results: list[DeveloperHit | ProjectHit | CountyHit | PoiHit]
    meta: NotRequired[SearchResponseMeta]


class SearchDevelopersResponseResults(TypedDict):
    developer_id: int
    canonical_name: str
    aliases: list[str]
    score: float  # fraction
    project_count: int


class StartCheckoutResponse(TypedDict):
    token: str
    balance_usd: float  # USD
    hint: str
    checkout_url: str


class StopAlertsResponse(TypedDict):
    email: str
    note: str


class SummariseChangesResponse(TypedDict):
    since_days: int
    by_day: list[SummariseChangesResponseByDay]
    by_region: list[SummariseChangesResponseByRegion]
    withdrawals_by_region: list[SummariseChangesResponseWithdrawalsByRegion]
    top_withdrawing_developers: list[SummariseChangesResponseTopWithdrawingDevelopers]
    new_entries_by_region: list[SummariseChangesResponseNewEntriesByRegion]
    meta: NotRequired[SummariseChangesResponseMeta]


class SummariseEventsResponse(TypedDict):
    total_events: int
    days: int
    by_type: list[SummariseEventsResponseByType]
    top_developers: list[SummariseEventsResponseTopDevelopers]


class SummariseMaEventsResponse(TypedDict):
    total: int
    by_type: dict[str, int]
    by_confidence: dict[str, int]
    top_acquirers: list[SummariseMaEventsResponseTopAcquirers]


class SummariseMilestonesResponse(TypedDict):
    total_projects: int
    total_with_milestones: int
    ia_status_distribution: dict[str, int]
    construction_stage_distribution: dict[str, int]
    avg_confidence_by_stage: dict[str, float]
    meta: NotRequired[SummariseMilestonesResponseMeta]
    milestone_fill_rates: SummariseMilestonesResponseMilestoneFillRates


class ValidateResponse(TypedDict):
    total_projects: int
    coverage: ValidateResponseCoverage
    meta: NotRequired[ValidateResponseMeta]


class VerifyEmailResponse(TypedDict):
    note: str


class VerifyValueResponse(TypedDict):
    project_id: str
    field: str
    stored: str | float | bool | list[str] | list[VerifyValueResponseStored] | None
    read_again: str | float | bool | list[str] | list[VerifyValueResponseReadAgain] | None
    agrees: bool
    archive: Literal["intact", "damaged"]
    sha256: str
    file: str
    cell: VerifyValueResponseCell | None


class ChangeSavedQueryRequestParameters(TypedDict):
    name: str
    type: TypeValue2
    default: NotRequired[str | float | bool | None]


class ChangeWatchlistRequestFilters(TypedDict):
    iso: NotRequired[list[IsoValue]]
    region: NotRequired[list[IsoValue]]
    state: NotRequired[list[str]]
    county: NotRequired[str]
    fips: NotRequired[list[str]]
    fuel_type: NotRequired[list[str]]
    status: NotRequired[list[str]]
    active: NotRequired[bool]
    listed: NotRequired[list[Literal["listed", "missing", "disappeared"]]]
    include_unlisted: NotRequired[bool]
    id: NotRequired[list[str]]
    q: NotRequired[str]
    developer: NotRequired[str]
    developer_id: NotRequired[list[int]]
    poi: NotRequired[str]
    capacity_min: NotRequired[float]  # MW
    capacity_max: NotRequired[float]  # MW
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    cod_from: NotRequired[str]
    cod_to: NotRequired[str]
    ia_from: NotRequired[str]
    ia_to: NotRequired[str]
    withdrawn_from: NotRequired[str]
    withdrawn_to: NotRequired[str]
    updated_since: NotRequired[str]
    near: NotRequired[str]
    lat: NotRequired[float]  # degrees
    lon: NotRequired[float]  # degrees
    radius_km: NotRequired[float]  # km
    bbox: NotRequired[list[Any]]
    polygon: NotRequired[list[float]]
    energy_community: NotRequired[bool]
    low_income: NotRequired[bool]
    has_tax_credit: NotRequired[bool]
    construction_stage: NotRequired[list[ConstructionStageValue]]
    study_phase: NotRequired[str]
    ia_status: NotRequired[str]
    min_confidence: NotRequired[float]  # fraction
    developer_tier: NotRequired[list[DeveloperTierValue]]
    investable: NotRequired[bool]
    needs_capital: NotRequired[bool]
    min_score: NotRequired[int]
    population: Literal["transmission", "all"]
    kind: NotRequired[list[KindValue]]
    plant_state: NotRequired[list[PlantStateValue]]
    request_class: NotRequired[list[RequestClassValue]]
    poi_id: NotRequired[list[str]]
    utility: NotRequired[list[str]]


class ChangeWebhookRequestFilters(TypedDict):
    region: NotRequired[list[IsoValue]]
    state: NotRequired[list[str]]
    county: NotRequired[str]
    fips: NotRequired[list[str]]
    fuel_type: NotRequired[list[str]]
    status: NotRequired[list[str]]
    active: NotRequired[bool]
    listed: NotRequired[list[Literal["listed", "missing", "disappeared"]]]
    id: NotRequired[list[str]]
    q: NotRequired[str]
    developer: NotRequired[str]
    developer_id: NotRequired[list[int]]
    poi: NotRequired[str]
    capacity_min: NotRequired[float]  # MW
    capacity_max: NotRequired[float]  # MW
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    cod_from: NotRequired[str]
    cod_to: NotRequired[str]
    ia_from: NotRequired[str]
    ia_to: NotRequired[str]
    withdrawn_from: NotRequired[str]
    withdrawn_to: NotRequired[str]
    near: NotRequired[str]
    lat: NotRequired[float]  # degrees
    lon: NotRequired[float]  # degrees
    radius_km: NotRequired[float]  # km
    bbox: NotRequired[list[Any]]
    polygon: NotRequired[list[float]]
    energy_community: NotRequired[bool]
    low_income: NotRequired[bool]
    has_tax_credit: NotRequired[bool]
    construction_stage: NotRequired[list[ConstructionStageValue]]
    study_phase: NotRequired[str]
    ia_status: NotRequired[str]
    min_confidence: NotRequired[float]  # fraction
    developer_tier: NotRequired[list[DeveloperTierValue]]
    investable: NotRequired[bool]
    needs_capital: NotRequired[bool]
    min_score: NotRequired[int]
    kind: NotRequired[list[KindValue]]
    plant_state: NotRequired[list[PlantStateValue]]
    request_class: NotRequired[list[RequestClassValue]]
    poi_id: NotRequired[list[str]]
    utility: NotRequired[list[str]]
    change_type: NotRequired[list[ChangeTypeValue3]]


class CreateSavedQueryRequestParameters(TypedDict):
    name: str
    type: TypeValue2
    default: NotRequired[str | float | bool | None]


class CreateWatchlistRequestFilters(TypedDict):
    iso: NotRequired[list[IsoValue]]
    region: NotRequired[list[IsoValue]]
    state: NotRequired[list[str]]
    county: NotRequired[str]
    fips: NotRequired[list[str]]
    fuel_type: NotRequired[list[str]]
    status: NotRequired[list[str]]
    active: NotRequired[bool]
    listed: NotRequired[list[Literal["listed", "missing", "disappeared"]]]
    include_unlisted: NotRequired[bool]
    id: NotRequired[list[str]]
    q: NotRequired[str]
    developer: NotRequired[str]
    developer_id: NotRequired[list[int]]
    poi: NotRequired[str]
    capacity_min: NotRequired[float]  # MW
    capacity_max: NotRequired[float]  # MW
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    cod_from: NotRequired[str]
    cod_to: NotRequired[str]
    ia_from: NotRequired[str]
    ia_to: NotRequired[str]
    withdrawn_from: NotRequired[str]
    withdrawn_to: NotRequired[str]
    updated_since: NotRequired[str]
    near: NotRequired[str]
    lat: NotRequired[float]  # degrees
    lon: NotRequired[float]  # degrees
    radius_km: NotRequired[float]  # km
    bbox: NotRequired[list[Any]]
    polygon: NotRequired[list[float]]
    energy_community: NotRequired[bool]
    low_income: NotRequired[bool]
    has_tax_credit: NotRequired[bool]
    construction_stage: NotRequired[list[ConstructionStageValue]]
    study_phase: NotRequired[str]
    ia_status: NotRequired[str]
    min_confidence: NotRequired[float]  # fraction
    developer_tier: NotRequired[list[DeveloperTierValue]]
    investable: NotRequired[bool]
    needs_capital: NotRequired[bool]
    min_score: NotRequired[int]
    population: Literal["transmission", "all"]
    kind: NotRequired[list[KindValue]]
    plant_state: NotRequired[list[PlantStateValue]]
    request_class: NotRequired[list[RequestClassValue]]
    poi_id: NotRequired[list[str]]
    utility: NotRequired[list[str]]


class CreateWebhookRequestFilters(TypedDict):
    region: NotRequired[list[IsoValue]]
    state: NotRequired[list[str]]
    county: NotRequired[str]
    fips: NotRequired[list[str]]
    fuel_type: NotRequired[list[str]]
    status: NotRequired[list[str]]
    active: NotRequired[bool]
    listed: NotRequired[list[Literal["listed", "missing", "disappeared"]]]
    id: NotRequired[list[str]]
    q: NotRequired[str]
    developer: NotRequired[str]
    developer_id: NotRequired[list[int]]
    poi: NotRequired[str]
    capacity_min: NotRequired[float]  # MW
    capacity_max: NotRequired[float]  # MW
    date_from: NotRequired[str]
    date_to: NotRequired[str]
    cod_from: NotRequired[str]
    cod_to: NotRequired[str]
    ia_from: NotRequired[str]
    ia_to: NotRequired[str]
    withdrawn_from: NotRequired[str]
    withdrawn_to: NotRequired[str]
    near: NotRequired[str]
    lat: NotRequired[float]  # degrees
    lon: NotRequired[float]  # degrees
    radius_km: NotRequired[float]  # km
    bbox: NotRequired[list[Any]]
    polygon: NotRequired[list[float]]
    energy_community: NotRequired[bool]
    low_income: NotRequired[bool]
    has_tax_credit: NotRequired[bool]
    construction_stage: NotRequired[list[ConstructionStageValue]]
    study_phase: NotRequired[str]
    ia_status: NotRequired[str]
    min_confidence: NotRequired[float]  # fraction
    developer_tier: NotRequired[list[DeveloperTierValue]]
    investable: NotRequired[bool]
    needs_capital: NotRequired[bool]
    min_score: NotRequired[int]
    kind: NotRequired[list[KindValue]]
    plant_state: NotRequired[list[PlantStateValue]]
    request_class: NotRequired[list[RequestClassValue]]
    poi_id: NotRequired[list[str]]
    utility: NotRequired[list[str]]
    change_type: NotRequired[list[ChangeTypeValue3]]


class ResolveManyRequestQueries(TypedDict):
    q: str
    region: NotRequired[RegionValue]
    state: NotRequired[str]
    county: NotRequired[str]


class CalculateTaxCreditsResponseData(TypedDict):
    technology: str
    capacity_mw: float  # MW
    state: str
    county: str | None
    county_fips: str | None
    cod: int
    construction_start: str | None
    credit_type: Literal["ITC", "PTC"] | None
    status: TaxCreditStatusValue
    base_credit_pct: float  # fraction
    base_rate: float  # fraction
    phase_factor: float  # fraction
    effective_rate: float  # fraction
    at_risk_rate: float | None
    ptc_cents_per_kwh: float | None
    ptc_rate_year: int | None
    estimated_credit_value: float | None
    bonuses: CalculateTaxCreditsResponseDataBonuses
    warnings: list[CalculateTaxCreditsResponseDataWarnings]
    assumptions: list[str]
    citations: list[CalculateTaxCreditsResponseDataCitations]
    as_of: str


class SavedQueryParameter(TypedDict):
    name: str
    type: TypeValue2
    default: NotRequired[str | float | bool | None]


class WatchlistFilters(TypedDict):
    pass


class WebhookFilters(TypedDict):
    pass


class CompareDaysResponseDataBefore(TypedDict):
    status_std: str
    status: str | None
    construction_stage: str
    study_phase: str | None
    capacity_mw: float | None
    cod: str | None
    developer_canonical: str | None


class CompareDaysResponseDataAfter(TypedDict):
    status_std: str
    status: str | None
    construction_stage: str
    study_phase: str | None
    capacity_mw: float | None
    cod: str | None
    developer_canonical: str | None


class CompareDaysResponseMeta(TypedDict):
    total: int
    page: int
    per_page: int
    pages: int
    next_cursor: NotRequired[str | None]


class ComparedProject(TypedDict):
    day: str
    projects: int
    capacity_mw: float  # MW
    coverage: dict[str, str | None]
    lists: dict[str, str]


class ProjectSum(TypedDict):
    projects: int
    capacity_mw: float  # MW


class CompareDaysResponseMatrix(TypedDict):
    before: str | None
    after: str | None
    projects: int
    capacity_mw: float  # MW
    capacity_mw_before: float  # MW


class CreateWebhookResponseFilters(TypedDict):
    pass


class DatasetSource(TypedDict):
    source: str
    title: str
    publisher: str
    url: str | None
    licence: str
    attribution: str
    cadence: str
    records: int | None
    last_checked: str | None
    last_changed: str | None
    freshness: Literal["FRESH", "STALE", "NEVER"] | None


class ExportAccountResponseAccount(TypedDict):
    account_id: int
    email: str | None
    email_verified: bool
    name: str | None
    plan: PlanValue
    monthly_queries: int | None
    per_minute: int | None
    created_at: str


class ExportAccountResponseKeys(TypedDict):
    key_id: int
    hint: str
    daily_queries: int | None
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    replaced_by: int | None


class ExportAccountResponseConnections(TypedDict):
    client_name: str | None
    key_id: int
    connected_at: str
    expires_at: str


class ExportAccountResponseUsage(TypedDict):
    day: str
    operation: str
    requests: int
    counted: int


class ExportAccountResponseRequests(TypedDict):
    request_id: str
    at: str
    key_id: int | None
    operation: str
    status: int
    counted: bool


class ExportAccountResponseMails(TypedDict):
    purpose: Literal["verify", "recover"]
    email: str | None
    requested_at: str
    sent_at: str | None


class DistressSignal(TypedDict):
    level: LevelValue
    score: int
    components: DistressSignalComponents | None
    judged: bool
    version: int


class GetCapitalLeaderboardResponseDataCoverage(TypedDict):
    schedule: GetCapitalLeaderboardResponseDataCoverageSchedule
    withdrawals: GetCapitalLeaderboardResponseDataCoverageWithdrawals
    costs: GetCapitalLeaderboardResponseDataCoverageCosts
    news: GetCapitalLeaderboardResponseDataCoverageNews
    filings: GetCapitalLeaderboardResponseDataCoverageFilings
    form_d: GetCapitalLeaderboardResponseDataCoverageFormD
    missing: list[MissingValue]
    points: int


class GetCatalogResponseResources(TypedDict):
    name: str
    description: str
    endpoints: list[CatalogEndpoint]


class GetChangesExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class GetCoverageResponseQueues(TypedDict):
    region: RegionValue
    loaded: bool
    requests: int
    by_status: dict[str, int]
    by_kind: dict[str, int]
    states: list[str]
    filled: dict[str, float]
    lists: list[GetCoverageResponseQueuesLists]
    list_days: list[str]


class GetCoverageResponseEntities(TypedDict):
    region: IsoValue
    entity: str
    requests: int
    active_gw: float  # GW
    outcomes: int
    newest_day: str | None


class GetCoverageResponseChanges(TypedDict):
    records: int
    first: str | None
    last: str | None


class GetCoverageResponseDevelopers(TypedDict):
    developers: int
    curated: int
    requests_with_developer: float  # fraction


class GetCoverageResponseEia860(TypedDict):
    year: int
    loaded: list[str]
    missing: list[str]
    plants: int
    generators: int
    early_release: bool


class GetCoverageResponseDg(TypedDict):
    source: str
    records: int
    states: list[str]
    first: str | None
    last: str | None
    editions: list[str]
    kind: Literal["installation", "utility_total", "area_total"]


class SourceSpan(TypedDict):
    source: str
    records: int
    states: list[str]
    first: str | None
    last: str | None
    editions: list[str]


class GetCoverageResponseLoadRequests(TypedDict):
    region: IsoValue
    requests: int


class MarketCoverage(TypedDict):
    iso: str
    market: Literal["day_ahead", "real_time", "real_time_commitment"]
    finest_interval: Literal["hour", "month"]
    hubs: int
    zones: int
    interfaces: int
    nodes: int
    days: int
    hours: int
    first: str | None
    last: str | None


class GetCoverageResponseNews(TypedDict):
    records: int
    matched: int
    first: str | None
    last: str | None
    by_type: dict[str, int]


class GetCoverageResponseCapitalRaises(TypedDict):
    records: int
    matched: int
    first: str | None
    last: str | None
    by_type: dict[str, int]


class GetCoverageResponseMaterialEvents(TypedDict):
    records: int
    matched: int
    first: str | None
    last: str | None
    by_type: dict[str, int]


class GetCoverageResponseMaEvents(TypedDict):
    records: int
    matched: int
    first: str | None
    last: str | None
    by_type: dict[str, int]


class GetCoverageResponseScoring(TypedDict):
    source: str
    records: int
    last_checked: str | None
    last_changed: str | None
    freshness: Literal["FRESH", "STALE", "NEVER"] | None


class CoverageGap(TypedDict):
    dataset: str
    missing: str


class Dataset(TypedDict):
    name: DatasetValue
    title: str
    description: str
    database: DatabaseValue
    endpoints: list[str]
    records: int | None
    last_changed: str | None
    sample: bool | None
    sources: list[DatasetSource]


class GetDeveloperResponseData(TypedDict):
    developer_id: int
    canonical_name: str
    tier: DeveloperTierValue
    total_projects: int
    total_capacity_mw: float  # MW
    operating_capacity_mw: float  # MW
    in_construction_mw: float  # MW
    active_capacity_mw: float  # MW
    withdrawn_projects: int
    operational_projects: int
    completion_rate: float | None
    states_active: list[str]
    primary_technologies: list[str]
    needs_capital: bool | None
    company_kind: Literal["sponsor", "special_purpose"]
    company_group: str | None
    aliases: list[str]
    identifiers: list[DeveloperIdentifier]
    headquarters_state: str | None
    parent_company: str | None
    certainty: Literal["seen", "known"] | None
    tax_credit_activity: TaxCreditActivityValue | None
    contact_published: bool
    relationships: GetDeveloperResponseDataRelationships


class GetDeveloperResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class GetDeveloperCapitalResponseRaises(TypedDict):
    filing_date: str
    issuer_name: str
    total_offering_amount: float | None
    total_amount_sold: float | None
    is_amendment: Literal[0] | Literal[1]
    match_method: MatchMethodValue
    is_latest: bool


class GetDeveloperCapitalResponseSignalEvents(TypedDict):
    financing_events: int
    ma_events: int
    distress_events: int
    litigation_events: int


class GetDeveloperCapitalResponseCoverage(TypedDict):
    schedule: GetDeveloperCapitalResponseCoverageSchedule
    withdrawals: GetDeveloperCapitalResponseCoverageWithdrawals
    costs: GetDeveloperCapitalResponseCoverageCosts
    news: GetDeveloperCapitalResponseCoverageNews
    filings: GetDeveloperCapitalResponseCoverageFilings
    form_d: GetDeveloperCapitalResponseCoverageFormD
    missing: list[MissingValue]
    points: int


class GetDeveloperStatsResponseByTier(TypedDict):
    tier: DeveloperTierValue
    count: int
    total_capacity_mw: float  # MW


class GetDeveloperStatsResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class GetDevelopersExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class GetDgStatsResponseData(TypedDict):
    source: SourceValue
    title: str
    edition: str | None
    published_on: str | None
    unit: Literal["MW"]
    counts: Literal["existing", "added"]
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int
    by_state: list[GetDgStatsResponseDataByState]
    by_technology: list[GetDgStatsResponseDataByTechnology]
    by_sector: list[GetDgStatsResponseDataBySector]
    by_program: list[GetDgStatsResponseDataByProgram]
    by_year: list[GetDgStatsResponseDataByYear]


class GetExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class GetFileResponseLoads(TypedDict):
    snapshot_id: int
    name: str
    feed: str | None
    url: str | None
    loaded_at: str
    published_on: str | None
    as_of: str
    outcome: str
    rows_in: int | None
    requests: int | None


class PipelineFreshness(TypedDict):
    pipeline: str
    last_success: str | None
    age_hours: float | None
    max_age_hours: float  # hours
    status: Literal["FRESH", "STALE", "NEVER"]
    state: StateValue3


class GetFreshnessResponse_statusDist(TypedDict):
    status: Literal["FRESH", "STALE", "NEVER"]
    n: int
    newest: str | None


class DatabaseHealth(TypedDict):
    name: DatabaseValue
    row_count: int
    size_mb: float  # MB
    last_modified: str | None


class GetManifestResponseLinks(TypedDict):
    docs: str
    openapi: str
    asyncapi: str
    register: str | None
    health: str
    source_freshness: str
    website: str


class Owner(TypedDict):
    owner_name: str
    owner_utility_id: int | None
    fraction_owned: float  # fraction
    owner_city: str | None
    owner_state: str | None
    source: Literal["eia_860_ownership", "eia_860_operator"]
    report_date: str


class GetOwnershipResponsePlant(TypedDict):
    plant_id: int
    plant_name: str | None
    link_kind: Literal["direct", "one_of", "part"]
    method: str
    confidence: float  # fraction
    evidence: str


class GetOwnershipResponseCoverage(TypedDict):
    year: int
    loaded: list[str]
    missing: list[str]


class GetOwnershipResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class GetPlantsExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class GetPoiResponseAliases(TypedDict):
    name: str
    requests: int
    evidence: str


class GetPoiResponseByStatus(TypedDict):
    status: OldStatusStdValue
    requests: int
    capacity_mw: float  # MW


class GetPoiResponseByStage(TypedDict):
    construction_stage: ConstructionStageValue
    requests: int
    capacity_mw: float  # MW


class GetPoiResponseWaiting(TypedDict):
    id: str
    cluster: str | None
    queue_date: str | None
    capacity_mw: float | None
    ahead: GetPoiResponseWaitingAhead | None
    same_cluster: GetPoiResponseWaitingSameCluster | None


class GetPoiResponseRelated(TypedDict):
    id: str
    relation: Literal["successor_of", "sibling", "alternative_of"]
    other_id: str
    method: Literal["name", "name_without_number", "name_and_place"]
    confidence: float  # fraction
    evidence: str


class CostSummary(TypedDict):
    n: int
    median_usd_per_kw: float  # USD/kW
    studied_from: str | None
    studied_to: str | None
    dollars_year: int | None


class GetPricesExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class GetPricingInfoResponsePricingByTier(TypedDict):
    free: GetPricingInfoResponsePricingByTierFree
    standard: GetPricingInfoResponsePricingByTierStandard
    premium: GetPricingInfoResponsePricingByTierPremium
    pro: GetPricingInfoResponsePricingByTierPro


class GetPricingInfoResponseEndpoints(TypedDict):
    free: GetPricingInfoResponseEndpointsFree
    standard: GetPricingInfoResponseEndpointsStandard
    premium: GetPricingInfoResponseEndpointsPremium
    pro: GetPricingInfoResponseEndpointsPro


class GetPricingInfoResponseRailsEnabled(TypedDict):
    x402: bool
    mpp: bool
    card: bool


class GetProjectResponseComponents(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class GetProjectResponseDeveloperMatch(TypedDict):
    method: MethodValue2 | MethodValue3 | str
    confidence: float  # fraction
    matched_text: str
    evidence: str | None
    plant_id: int | None


class GetProjectResponseRelations(TypedDict):
    id: str
    relation: RelationValue
    method: Literal["name", "name_without_number", "name_and_place"]
    confidence: float  # fraction
    evidence: str


class ProjectStateFile(TypedDict):
    feed: str
    name: str
    sha256: str
    url: str | None


class ProjectStateDifferences(TypedDict):
    field: str
    old_value: str | None
    new_value: str | None


class OriginValue(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class OriginInputs(TypedDict):
    sheet: str | None
    row: int | None
    column: str | None
    header: str | None
    raw: str | None


class OriginCitations(TypedDict):
    rule: str
    citation: str
    valid_from: str | None
    valid_to: str | None


class OriginOverruled(TypedDict):
    value: str | float | bool | list[str] | list[OriginOverruledValue] | None
    source: str
    sha256: str | None
    sheet: str | None
    row: int | None
    column: str | None
    header: str | None
    raw: str | None


class OriginEvidence(TypedDict):
    method: str
    confidence: float | None
    text: str | None


class SourceFile(TypedDict):
    sha256: str
    name: str
    feed: str
    url: str | None
    loaded_at: str
    published_on: str | None
    as_of: str
    snapshot_id: int | None


class ProjectCreditData(TypedDict):
    technology: str
    capacity_mw: float | None
    state: str | None
    counties: list[str]
    cod: int
    credit_type: Literal["ITC", "PTC"] | None
    status: TaxCreditStatusValue
    base_credit_pct: float  # fraction
    base_rate: float  # fraction
    phase_factor: float  # fraction
    effective_rate: float  # fraction
    at_risk_rate: float | None
    ptc_cents_per_kwh: float | None
    ptc_rate_year: int | None
    estimated_credit_value: float | None
    bonuses: ProjectCreditDataBonuses
    warnings: list[ProjectCreditDataWarnings]
    assumptions: list[str]
    citations: list[ProjectCreditDataCitations]
    as_of: str
    p_credit: float | None
    expected_credit_value: float | None
    p_reason: Literal["suspended", "too_few_outcomes"] | None


class GetQueryResponseMeta(TypedDict):
    database: DatabaseValue
    columns: list[GetQueryResponseMetaColumns]
    rows: int
    truncated: bool
    truncated_by: Literal["rows", "bytes"] | None
    row_limit: int
    byte_limit: int  # bytes
    views: list[GetQueryResponseMetaViews]


class GetQuerySchemaResponseDatabases(TypedDict):
    name: DatabaseValue
    description: str
    views: list[QueryView]


class GetQuerySchemaResponseLimits(TypedDict):
    sql_characters: int
    rows: int
    bytes: int  # bytes
    row_bytes: int  # bytes
    timeout_ms: int  # ms
    at_once: int


class QueryMacro(TypedDict):
    database: DatabaseValue
    name: str
    description: str
    parameters: list[str]
    example: str
    view: str


class GetQueueIntegrityResponseSnapshot(TypedDict):
    generated_at: str
    regions: dict[str, RegionIntegrity]
    permits: dict[str, GetQueueIntegrityResponseSnapshotPermits]
    findings: GetQueueIntegrityResponseSnapshotFindings
    zombies: list[GetQueueIntegrityResponseSnapshotZombies]
    stale_sources: list[str]


class GetQueueIntegrityResponseMeta(TypedDict):
    total: int
    page: int
    per_page: int
    pages: int
    next_cursor: NotRequired[str | None]


class GetQueueIntegrityResponseAlerts(TypedDict):
    region: str
    feed: str
    level: Literal["quarantined", "failed", "warning"]
    reason: str
    as_of: str
    raised_at: str
    snapshot_id: int | None


class ReconciliationOurs(TypedDict):
    records: int
    capacity_mw: float  # MW


class ReconciliationTheirs(TypedDict):
    records: int
    capacity_mw: float  # MW


class ReconciliationStatuses(TypedDict):
    status: OldStatusStdValue
    ours: ReconciliationStatusesOurs
    theirs: ReconciliationStatusesTheirs
    reasons: list[ReconciliationStatusesReasons]


ReconciliationExamples = TypedDict(
    "ReconciliationExamples",
    {
        "class": "ClassValue",
        "rule": "str",
        "ours": "ReconciledRecord | None",
        "theirs": "ReconciledRecord | None",
    },
)


class ScoreComponents(TypedDict):
    developer_tier: ScoreComponentsDeveloperTier
    milestone_progress: ScoreComponentsMilestoneProgress
    tax_credit_value: ScoreComponentsTaxCreditValue
    iso_posture: ScoreComponentsIsoPosture
    deal_cleanliness: ScoreComponentsDealCleanliness


class ScoreDeductions(TypedDict):
    points: int
    reason: str


class Chance(TypedDict):
    value: float  # fraction
    low: float  # fraction
    high: float  # fraction
    n: int


class InterconnectionCost(TypedDict):
    basis: Literal["own", "neighbours"]
    ic_cost_usd_per_kw: float | None
    poi_usd_per_kw: float | None
    network_usd_per_kw: float | None
    study: str | None
    studied_on: str | None
    dollars_year: int | None
    source: str | None
    neighbours: CostNeighbours | None


GetScoreBacktestResponseFitted = TypedDict(
    "GetScoreBacktestResponseFitted",
    {
        "region": "RegionValue",
        "from": "str",
        "to": "str",
        "requests": "int",
    },
)


class GetScoreBacktestResponseReference(TypedDict):
    stage: str
    months: int
    requests: int
    energized: float  # fraction
    commercial: float  # fraction


GetScoreBacktestResponseOrigins = TypedDict(
    "GetScoreBacktestResponseOrigins",
    {
        "region": "RegionValue",
        "outcome": "Literal[\"commercial\", \"energized\"]",
        "from": "str",
        "months": "float",  # months
        "basis": "Literal[\"operator\", \"others\"]",
        "requests": "int",
        "predicted": "float | None",
        "observed": "float | None",
        "calibration_error": "float | None",
        "area": "float | None",
        "area_by_date": "float | None",
        "area_by_milestone": "float | None",
        "top_predicted": "float | None",
        "top_observed": "float | None",
    },
)


class GetScoreBacktestResponseOperators(TypedDict):
    region: RegionValue
    requests: int
    predicted: float | None
    observed: float | None
    calibration_error: float | None
    area: float | None
    area_by_date: float | None
    area_by_milestone: float | None
    monotone: bool
    groups: list[GetScoreBacktestResponseOperatorsGroups]
    by_operator: int
    by_eia: int


class GetScoreBacktestResponseOverall(TypedDict):
    requests: int
    predicted: float | None
    observed: float | None
    calibration_error: float | None
    area: float | None
    area_by_date: float | None
    area_by_milestone: float | None
    monotone: bool
    groups: list[GetScoreBacktestResponseOverallGroups]


GetScoreBacktestResponseByChance = TypedDict(
    "GetScoreBacktestResponseByChance",
    {
        "from": "float",  # fraction
        "to": "float",  # fraction
        "requests": "int",
        "came": "int",
    },
)


class GetScoreBacktestResponseLateEnergized(TypedDict):
    requests: int
    predicted: float | None
    observed: float | None
    calibration_error: float | None
    area: float | None
    area_by_date: float | None
    area_by_milestone: float | None
    monotone: bool
    groups: list[GetScoreBacktestResponseLateEnergizedGroups]


GetScoreBacktestResponseLeftOut = TypedDict(
    "GetScoreBacktestResponseLeftOut",
    {
        "region": "RegionValue",
        "from": "str",
        "months": "float",  # months
        "requests": "int",
        "predicted": "float | None",
        "observed": "float | None",
        "calibration_error": "float | None",
        "area": "float | None",
        "area_by_date": "float | None",
        "area_by_milestone": "float | None",
    },
)


GetScoreBacktestResponseReported = TypedDict(
    "GetScoreBacktestResponseReported",
    {
        "region": "RegionValue",
        "from": "str",
        "months": "float",  # months
        "agreed": "bool",
        "requests": "int",
        "predicted": "float",  # fraction
        "predicted_reported": "float",  # fraction
        "came": "int",
    },
)


class InputDifference(TypedDict):
    name: str
    old: Any
    new: Any


class GetScoresExportManifestResponseColumns(TypedDict):
    name: str
    type: TypeValue3
    nullable: bool
    unit: str | None
    description: str | None


class SourceContractComparedWith(TypedDict):
    snapshot_id: int
    as_of: str


class UnknownWord(TypedDict):
    field: str
    word: str
    rows: int
    column: str | None
    example: str | None
    mapped_to: str | None


class MappedWord(TypedDict):
    field: str
    word: str
    rows: int
    read_as: str
    author: str
    mapped_on: str


SourceDrift = TypedDict(
    "SourceDrift",
    {
        "class": "ClassValue2",
        "severity": "Literal[\"error\", \"warning\", \"notice\"]",
        "sheet": "str | None",
        "column": "str | None",
        "before": "str | None",
        "after": "str | None",
    },
)


class SourceContractSheets(TypedDict):
    sheet: str | None
    rows: int
    columns: list[SourceColumn]


class SourceFreshness(TypedDict):
    database: DatabaseValue
    source: str
    records: int
    last_checked: str | None
    last_changed: str | None
    unchecked_records: int


class GetStatsResponseData(TypedDict):
    active_capacity_gw: float  # GW
    by_status: list[GetStatsResponseDataByStatus]
    active_projects: int
    active_left_out: list[GetStatsResponseDataActiveLeftOut]
    total_projects: int
    total_capacity_gw: float  # GW
    by_iso: list[GetStatsResponseDataByIso]
    by_fuel_type: list[GetStatsResponseDataByFuelType]
    tax_credits: TaxCreditTotals | None


class GetStatsResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class GetUsageResponseKey(TypedDict):
    hint: str
    created_at: str
    expires_at: str | None


class GetUsageResponseKeyDay(TypedDict):
    daily_queries: int
    used: int
    resets_at: str


class GetUsageResponseByOperation(TypedDict):
    operation: str
    requests: int
    counted: int


class GetUsageResponseByDay(TypedDict):
    day: str
    requests: int
    counted: int


class GetUsageResponseAlerts(TypedDict):
    of: Literal["month", "key_day"]
    share: float  # fraction
    used: int
    limit: int
    resets_at: str


class WebhookNotice(TypedDict):
    webhook_id: int
    url: str
    disabled_at: str
    reason: str


class GetWatchlistResponseDataComponents(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class GroupProjectsResponseDataStages(TypedDict):
    study_phase: StudyPhaseValue
    requests: int
    median_days: float | None


class ListArchiveResponseFiles(TypedDict):
    name: str
    dataset: Literal["projects", "changes"]
    series: Literal["full", "delta"]
    day: str
    after_seq: int | None
    seq: int
    rows: int
    bytes: int  # bytes
    sha256: str
    schema_version: str
    made_at: str


class CapitalRaiseRelatedPersons(TypedDict):
    name: str
    relationships: list[str]
    city: str | None
    state: str | None


class ListChangesResponse2DataProject(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: IsoValue
    state: str | None
    county: str | None
    counties: list[str]
    fips: str | None
    developer: str | None
    developer_tier: DeveloperTierValue | None
    developer_id: int | None
    developer_canonical: str | None
    type: str | None
    type_std: TechnologyValue | str
    kind: KindValue
    status: str | None
    status_std: OldStatusStdValue
    status_basis: StatusBasisValue | None
    status_evidence: str | None
    status_flag: Literal["at_risk", "retired", "void_window"] | None
    listed: Literal["listed", "missing", "disappeared"]
    plant_state: PlantStateValue
    plant_state_basis: PlantStateBasisValue | None
    plant_state_evidence: str | None
    plant_report: Literal["planned", "under_construction", "cancelled"] | None
    plant_reported_on: str | None
    construction_begun_by: str | None
    request_class: RequestClassValue
    capacity_mw: float | None
    capacity_basis: Literal["injection_limit", "net_change"]
    incremental_mw: float | None
    added_type_std: str | None
    operating_mw: float | None
    components: list[ListChangesResponse2DataProjectComponents]
    summer_mw: float | None
    winter_mw: float | None
    queue_date: str | None
    queue_date_current: str | None
    cod: str | None
    actual_cod: str | None
    withdrawn_date: str | None
    ia_date: str | None
    backfeed_date: str | None
    energized_date: str | None
    security_posted: bool | None
    construction_stage: ConstructionStageValue
    construction_stage_confidence: float  # fraction
    study_phase: StudyPhaseValue | None
    study_phase_filed: str | None
    ia_status: IaStatusValue
    ia_status_filed: str | None
    poi: str | None
    poi_id: str | None
    utility: str | None
    cluster: str | None
    service: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    energy_community_eligible: bool | None
    low_income_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    tax_credit_pct: float | None
    estimated_credit_value: float | None
    effective_credit_rate: float | None
    needs_capital: bool | None
    investable: bool | None
    p_cod_36: float | None
    investability_score: int | None
    feed: str
    first_seen_at: str
    last_changed_at: str
    missing_since: str | None
    version: int


class ListMarketHubsResponseDataMarkets(TypedDict):
    market: Literal["day_ahead", "real_time", "real_time_commitment"]
    first_hour_at: str
    last_hour_at: str
    hours: int  # hours
    months: int
    latest_date: str
    latest_daily_lmp_usd_mwh: float | None
    source: str


class ListPlansResponsePlans(TypedDict):
    name: PlanValue
    monthly_queries: int | None
    per_minute: int | None
    description: str


class ListPlansResponsePricePerCallUsd(TypedDict):
    free: float  # USD
    standard: float  # USD
    premium: float  # USD
    pro: float  # USD


class ListProjectsResponseDataComponents(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class ListWatchlistChangesResponseDataProject(TypedDict):
    id: str
    queue_id: str
    name: str | None
    region: IsoValue
    state: str | None
    county: str | None
    counties: list[str]
    fips: str | None
    developer: str | None
    developer_tier: DeveloperTierValue | None
    developer_id: int | None
    developer_canonical: str | None
    type: str | None
    type_std: TechnologyValue | str
    kind: KindValue
    status: str | None
    status_std: OldStatusStdValue
    status_basis: StatusBasisValue | None
    status_evidence: str | None
    status_flag: Literal["at_risk", "retired", "void_window"] | None
    listed: Literal["listed", "missing", "disappeared"]
    plant_state: PlantStateValue
    plant_state_basis: PlantStateBasisValue | None
    plant_state_evidence: str | None
    plant_report: Literal["planned", "under_construction", "cancelled"] | None
    plant_reported_on: str | None
    construction_begun_by: str | None
    request_class: RequestClassValue
    capacity_mw: float | None
    capacity_basis: Literal["injection_limit", "net_change"]
    incremental_mw: float | None
    added_type_std: str | None
    operating_mw: float | None
    components: list[ListWatchlistChangesResponseDataProjectComponents]
    summer_mw: float | None
    winter_mw: float | None
    queue_date: str | None
    queue_date_current: str | None
    cod: str | None
    actual_cod: str | None
    withdrawn_date: str | None
    ia_date: str | None
    backfeed_date: str | None
    energized_date: str | None
    security_posted: bool | None
    construction_stage: ConstructionStageValue
    construction_stage_confidence: float  # fraction
    study_phase: StudyPhaseValue | None
    study_phase_filed: str | None
    ia_status: IaStatusValue
    ia_status_filed: str | None
    poi: str | None
    poi_id: str | None
    utility: str | None
    cluster: str | None
    service: str | None
    lat: float | None
    lon: float | None
    location_precision: Literal["poi", "county", "state"] | None
    energy_community_eligible: bool | None
    low_income_eligible: bool | None
    domestic_content_eligible: bool | None
    domestic_content_basis: Literal["technology"] | None
    tax_credit_type: Literal["ITC", "PTC"] | None
    tax_credit_status: TaxCreditStatusValue | None
    tax_credit_pct: float | None
    estimated_credit_value: float | None
    effective_credit_rate: float | None
    needs_capital: bool | None
    investable: bool | None
    p_cod_36: float | None
    investability_score: int | None
    feed: str
    first_seen_at: str
    last_changed_at: str
    missing_since: str | None
    version: int


class QuoteResponseRails(TypedDict):
    x402: QuoteResponseRailsX402 | None
    mpp: QuoteResponseRailsMpp | None
    card: QuoteResponseRailsCard | None


class ResolveResponseProject(TypedDict):
    id: str
    queue_id: str
    region: IsoValue
    name: str | None
    state: str | None
    county: str | None
    type_std: TechnologyValue | str
    status_std: OldStatusStdValue
    listed: Literal["listed", "missing", "disappeared"]
    capacity_mw: float | None


class ResolveResponseEvidence(TypedDict):
    text: str
    source: str | None
    file: str | None
    sha256: str | None
    sheet: str | None
    row: int | None


class ResolveResponseAlternatives(TypedDict):
    project: ResolveResponseAlternativesProject
    method: MethodValue
    confidence: float  # fraction
    text: str


class ResolveManyResponseDataProject(TypedDict):
    id: str
    queue_id: str
    region: IsoValue
    name: str | None
    state: str | None
    county: str | None
    type_std: TechnologyValue | str
    status_std: OldStatusStdValue
    listed: Literal["listed", "missing", "disappeared"]
    capacity_mw: float | None


class ResolveManyResponseDataEvidence(TypedDict):
    text: str
    source: str | None
    file: str | None
    sha256: str | None
    sheet: str | None
    row: int | None


class ResolveManyResponseDataAlternatives(TypedDict):
    project: ResolveManyResponseDataAlternativesProject
    method: MethodValue
    confidence: float  # fraction
    text: str


class RotateWebhookResponseFilters(TypedDict):
    pass


class RunQueryResponseMeta(TypedDict):
    database: DatabaseValue
    columns: list[RunQueryResponseMetaColumns]
    rows: int
    truncated: bool
    truncated_by: Literal["rows", "bytes"] | None
    row_limit: int
    byte_limit: int  # bytes
    views: list[RunQueryResponseMetaViews]


class RunSavedQueryResponseMeta(TypedDict):
    database: DatabaseValue
    columns: list[RunSavedQueryResponseMetaColumns]
    rows: int
    truncated: bool
    truncated_by: Literal["rows", "bytes"] | None
    row_limit: int
    byte_limit: int  # bytes
    views: list[RunSavedQueryResponseMetaViews]


class SearchResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class SummariseChangesResponseByDay(TypedDict):
    day: str
    change_type: ChangeTypeValue2
    count: int


class SummariseChangesResponseByRegion(TypedDict):
    region: RegionValue
    change_type: ChangeTypeValue2
    count: int


class SummariseChangesResponseWithdrawalsByRegion(TypedDict):
    region: RegionValue
    withdrawn: int
    withdrawn_mw: float  # MW


class SummariseChangesResponseTopWithdrawingDevelopers(TypedDict):
    developer: str
    withdrawn: int
    withdrawn_mw: float  # MW


class SummariseChangesResponseNewEntriesByRegion(TypedDict):
    region: RegionValue
    new_projects: int
    new_mw: float  # MW


class SummariseChangesResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class SummariseEventsResponseByType(TypedDict):
    event_type: EventTypeValue
    count: int
    developers: int


class SummariseEventsResponseTopDevelopers(TypedDict):
    developer_canonical: str
    events: int
    distress: int
    financing: int
    litigation: int
    latest_event: str


class SummariseMaEventsResponseTopAcquirers(TypedDict):
    developer: str
    acquisitions: int


class SummariseMilestonesResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class SummariseMilestonesResponseMilestoneFillRates(TypedDict):
    ia_date: int
    actual_cod: int
    study_phase: int
    backfeed_date: int
    ia_status: int


class ValidateResponseCoverage(TypedDict):
    geocoded: float  # fraction
    ia_status: float  # fraction
    developer_tier: float  # fraction
    tax_credit_eligibility: float | None
    construction_stage: float  # fraction


class ValidateResponseMeta(TypedDict):
    as_of: NotRequired[str]
    coverage: NotRequired[dict[str, str | None]]
    lists: NotRequired[dict[str, str]]
    corrections: NotRequired[int]


class VerifyValueResponseStored(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class VerifyValueResponseReadAgain(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class VerifyValueResponseCell(TypedDict):
    sheet: str | None
    row: int | None
    column: str | None
    header: str | None
    raw: str | None


class CalculateTaxCreditsResponseDataBonuses(TypedDict):
    energy_community: CalculateTaxCreditsResponseDataBonusesEnergyCommunity
    domestic_content: CalculateTaxCreditsResponseDataBonusesDomesticContent
    low_income: CalculateTaxCreditsResponseDataBonusesLowIncome


class CalculateTaxCreditsResponseDataWarnings(TypedDict):
    code: str
    message: str


class CalculateTaxCreditsResponseDataCitations(TypedDict):
    rule: str
    citation: str
    valid_from: str | None
    valid_to: str | None


class DistressSignalComponents(TypedDict):
    capital_raised_low_deployment: bool
    interconnection_cost_burden: DistressSignalComponentsInterconnectionCostBurden | None
    behind_schedule: DistressSignalComponentsBehindSchedule
    high_withdrawal_rate: float | None
    withdrawals: DistressSignalComponentsWithdrawals
    litigation: int
    distress_events: int
    points: dict[str, float]
    bankruptcy: bool


class GetCapitalLeaderboardResponseDataCoverageSchedule(TypedDict):
    looked_at: bool
    active: int
    with_cod: int


class GetCapitalLeaderboardResponseDataCoverageWithdrawals(TypedDict):
    looked_at: bool
    finished: int


class GetCapitalLeaderboardResponseDataCoverageCosts(TypedDict):
    looked_at: bool
    requests: int


class GetCapitalLeaderboardResponseDataCoverageNews(TypedDict):
    looked_at: bool
    headlines: int


class GetCapitalLeaderboardResponseDataCoverageFilings(TypedDict):
    looked_at: bool
    reports: int


class GetCapitalLeaderboardResponseDataCoverageFormD(TypedDict):
    looked_at: bool
    offerings: int
    months: int


class CatalogEndpoint(TypedDict):
    operation: str
    method: MethodValue4
    path: str
    summary: str
    price: TierValue
    price_usd: float  # USD
    needs_key: bool
    media_type: str
    tool: str | None
    parameters: list[CatalogParameter]
    example: str


class GetCoverageResponseQueuesLists(TypedDict):
    source: str
    published_on: str | None
    as_of: str | None
    requests: int


class DeveloperIdentifier(TypedDict):
    scheme: SchemeValue
    value: str
    method: MethodValue5
    confidence: float  # fraction
    evidence: str
    source: str


class GetDeveloperResponseDataRelationships(TypedDict):
    parent: GetDeveloperResponseDataRelationshipsParent | None
    subsidiaries: list[RelatedDeveloper]
    shells: list[GetDeveloperResponseDataRelationshipsShells]


class GetDeveloperCapitalResponseCoverageSchedule(TypedDict):
    looked_at: bool
    active: int
    with_cod: int


class GetDeveloperCapitalResponseCoverageWithdrawals(TypedDict):
    looked_at: bool
    finished: int


class GetDeveloperCapitalResponseCoverageCosts(TypedDict):
    looked_at: bool
    requests: int


class GetDeveloperCapitalResponseCoverageNews(TypedDict):
    looked_at: bool
    headlines: int


class GetDeveloperCapitalResponseCoverageFilings(TypedDict):
    looked_at: bool
    reports: int


class GetDeveloperCapitalResponseCoverageFormD(TypedDict):
    looked_at: bool
    offerings: int
    months: int


class GetDgStatsResponseDataByState(TypedDict):
    state: str | None
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int


class GetDgStatsResponseDataByTechnology(TypedDict):
    technology: str | None
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int


class GetDgStatsResponseDataBySector(TypedDict):
    sector: SectorValue | None
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int


class GetDgStatsResponseDataByProgram(TypedDict):
    program: Literal["net_metering", "virtual_net_metering", "non_net_metering"] | None
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int


class GetDgStatsResponseDataByYear(TypedDict):
    year: int | None
    records: int
    capacity_mw: float  # MW
    storage_mw: float  # MW
    customers: int
    facilities: int
    generators: int


class GetPoiResponseWaitingAhead(TypedDict):
    requests: int
    capacity_mw: float  # MW


class GetPoiResponseWaitingSameCluster(TypedDict):
    requests: int
    capacity_mw: float  # MW


class GetPricingInfoResponsePricingByTierFree(TypedDict):
    price_usd: float  # USD


class GetPricingInfoResponsePricingByTierStandard(TypedDict):
    price_usd: float  # USD


class GetPricingInfoResponsePricingByTierPremium(TypedDict):
    price_usd: float  # USD


class GetPricingInfoResponsePricingByTierPro(TypedDict):
    price_usd: float  # USD


class GetPricingInfoResponseEndpointsFree(TypedDict):
    price_usd: float  # USD
    endpoints: list[str]


class GetPricingInfoResponseEndpointsStandard(TypedDict):
    price_usd: float  # USD
    endpoints: list[str]


class GetPricingInfoResponseEndpointsPremium(TypedDict):
    price_usd: float  # USD
    endpoints: list[str]


class GetPricingInfoResponseEndpointsPro(TypedDict):
    price_usd: float  # USD
    endpoints: list[str]


class OriginOverruledValue(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class ProjectCreditDataBonuses(TypedDict):
    energy_community: ProjectCreditDataBonusesEnergyCommunity
    domestic_content: ProjectCreditDataBonusesDomesticContent
    low_income: ProjectCreditDataBonusesLowIncome


class ProjectCreditDataWarnings(TypedDict):
    code: str
    message: str


class ProjectCreditDataCitations(TypedDict):
    rule: str
    citation: str
    valid_from: str | None
    valid_to: str | None


class GetQueryResponseMetaColumns(TypedDict):
    name: str
    type: str
    unit: str | None
    source: str | None
    description: str | None


class GetQueryResponseMetaViews(TypedDict):
    view: str
    data_version: int
    as_of: str


class QueryView(TypedDict):
    name: str
    description: str
    rows: int
    data_version: int
    as_of: str
    columns: list[QueryViewColumns]


class RegionIntegrity(TypedDict):
    total: int
    active: int
    operational: int
    last_change: str | None
    energized: int
    coverage: RegionIntegrityCoverage


class GetQueueIntegrityResponseSnapshotPermits(TypedDict):
    permits: int
    matched: int
    last: str | None


class GetQueueIntegrityResponseSnapshotFindings(TypedDict):
    zombies: GetQueueIntegrityResponseSnapshotFindingsZombies
    cod_before_queue_date: GetQueueIntegrityResponseSnapshotFindingsCodBeforeQueueDate
    implausible_date: GetQueueIntegrityResponseSnapshotFindingsImplausibleDate
    operational_without_date: GetQueueIntegrityResponseSnapshotFindingsOperationalWithoutDate


class GetQueueIntegrityResponseSnapshotZombies(TypedDict):
    id: str
    region: str
    name: str | None
    cod: str
    capacity_mw: float | None
    last_changed_at: str


class ReconciliationStatusesOurs(TypedDict):
    records: int
    capacity_mw: float  # MW


class ReconciliationStatusesTheirs(TypedDict):
    records: int
    capacity_mw: float  # MW


ReconciliationStatusesReasons = TypedDict(
    "ReconciliationStatusesReasons",
    {
        "class": "ClassValue",
        "rule": "str",
        "ours": "ReconciliationStatusesReasonsOurs",
        "theirs": "ReconciliationStatusesReasonsTheirs",
    },
)


class ReconciledRecord(TypedDict):
    id: str
    status: OldStatusStdValue
    capacity_mw: float | None


class ScoreComponentsDeveloperTier(TypedDict):
    score: int
    weight: float  # fraction
    value: str


class ScoreComponentsMilestoneProgress(TypedDict):
    score: int
    weight: float  # fraction
    value: str


class ScoreComponentsTaxCreditValue(TypedDict):
    score: int
    weight: float  # fraction
    value: str


class ScoreComponentsIsoPosture(TypedDict):
    score: int
    weight: float  # fraction
    value: str


class ScoreComponentsDealCleanliness(TypedDict):
    score: int
    weight: float  # fraction
    value: str


class CostNeighbours(TypedDict):
    chosen_by: Literal["poi", "transmission_owner", "region"]
    place: str | None
    type_std: str | None
    n: int
    p25_usd_per_kw: float  # USD/kW
    median_usd_per_kw: float  # USD/kW
    p75_usd_per_kw: float  # USD/kW
    studied_from: str | None
    studied_to: str | None
    dollars_year: int | None


class GetScoreBacktestResponseOperatorsGroups(TypedDict):
    n: int
    predicted: float  # fraction
    observed: float  # fraction


class GetScoreBacktestResponseOverallGroups(TypedDict):
    n: int
    predicted: float  # fraction
    observed: float  # fraction


class GetScoreBacktestResponseLateEnergizedGroups(TypedDict):
    n: int
    predicted: float  # fraction
    observed: float  # fraction


class SourceColumn(TypedDict):
    header: str
    fields: list[str]
    filled: float  # fraction
    kinds: dict[str, int]
    words: list[str] | None


class GetStatsResponseDataByStatus(TypedDict):
    status: OldStatusStdValue
    count: int
    total_mw: float  # MW


class GetStatsResponseDataActiveLeftOut(TypedDict):
    reason: ReasonValue
    count: int
    total_mw: float  # MW


class GetStatsResponseDataByIso(TypedDict):
    iso: str
    count: int
    total_mw: float  # MW


class GetStatsResponseDataByFuelType(TypedDict):
    fuel_type: str
    count: int
    total_mw: float  # MW


class TaxCreditTotals(TypedDict):
    active: TaxCreditTotalsActive | None
    eligible_projects: int
    energy_community_projects: int
    low_income_projects: int
    estimated_total_value: float  # USD
    conditional_projects: int
    conditional_value: float  # USD
    listed_value: float  # USD
    unlisted_value: float  # USD
    value_by_confidence: TaxCreditTotalsValueByConfidence


class ListChangesResponse2DataProjectComponents(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class ListWatchlistChangesResponseDataProjectComponents(TypedDict):
    type_std: TechnologyValue | str
    capacity_mw: float | None


class QuoteResponseRailsX402(TypedDict):
    price_usd: float  # USD
    currency: str


class QuoteResponseRailsMpp(TypedDict):
    price_usd: float  # USD
    currency: str


class QuoteResponseRailsCard(TypedDict):
    price_usd: float  # USD
    currency: str


class ResolveResponseAlternativesProject(TypedDict):
    id: str
    region: IsoValue
    name: str | None
    state: str | None
    county: str | None


class ResolveManyResponseDataAlternativesProject(TypedDict):
    id: str
    region: IsoValue
    name: str | None
    state: str | None
    county: str | None


class RunQueryResponseMetaColumns(TypedDict):
    name: str
    type: str
    unit: str | None
    source: str | None
    description: str | None


class RunQueryResponseMetaViews(TypedDict):
    view: str
    data_version: int
    as_of: str


class RunSavedQueryResponseMetaColumns(TypedDict):
    name: str
    type: str
    unit: str | None
    source: str | None
    description: str | None


class RunSavedQueryResponseMetaViews(TypedDict):
    view: str
    data_version: int
    as_of: str


class CalculateTaxCreditsResponseDataBonusesEnergyCommunity(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str
    notice: str | None


class CalculateTaxCreditsResponseDataBonusesDomesticContent(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str
    required_pct: float | None


class CalculateTaxCreditsResponseDataBonusesLowIncome(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str


class DistressSignalComponentsInterconnectionCostBurden(TypedDict):
    high_cost_projects: int
    max_cost_per_kw: float | None


class DistressSignalComponentsBehindSchedule(TypedDict):
    count: int
    share: float | None


class DistressSignalComponentsWithdrawals(TypedDict):
    count: int
    expected: float | None


CatalogParameter = TypedDict(
    "CatalogParameter",
    {
        "name": "str",
        "in": "Literal[\"path\", \"query\", \"body\"]",
        "type": "str",
        "required": "bool",
        "default": "str | None",
        "allowed": "str | None",
        "unit": "str | None",
        "description": "str",
    },
)


class GetDeveloperResponseDataRelationshipsParent(TypedDict):
    name: str
    developer_id: int | None


class RelatedDeveloper(TypedDict):
    developer_id: int
    canonical_name: str
    tier: DeveloperTierValue


class GetDeveloperResponseDataRelationshipsShells(TypedDict):
    name: str
    method: str
    confidence: float  # fraction
    project_count: int


class ProjectCreditDataBonusesEnergyCommunity(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str
    notice: str | None


class ProjectCreditDataBonusesDomesticContent(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str
    required_pct: float | None


class ProjectCreditDataBonusesLowIncome(TypedDict):
    eligible: bool
    status: StatusValue3
    bonus_pct: float  # fraction
    reason: str


class QueryViewColumns(TypedDict):
    name: str
    type: str
    description: str
    unit: str | None


class RegionIntegrityCoverage(TypedDict):
    developer: float  # percent
    queue_date: float  # percent
    cod: float  # percent
    county: float  # percent
    parent: float  # percent
    poi_substation: float  # percent


class GetQueueIntegrityResponseSnapshotFindingsZombies(TypedDict):
    total: int
    by_region: dict[str, int]


class GetQueueIntegrityResponseSnapshotFindingsCodBeforeQueueDate(TypedDict):
    total: int
    by_region: dict[str, int]


class GetQueueIntegrityResponseSnapshotFindingsImplausibleDate(TypedDict):
    total: int
    by_region: dict[str, int]


class GetQueueIntegrityResponseSnapshotFindingsOperationalWithoutDate(TypedDict):
    total: int
    by_region: dict[str, int]


class ReconciliationStatusesReasonsOurs(TypedDict):
    records: int
    capacity_mw: float  # MW


class ReconciliationStatusesReasonsTheirs(TypedDict):
    records: int
    capacity_mw: float  # MW


class TaxCreditTotalsActive(TypedDict):
    requests: int
    value: float  # USD
    expected_value: float  # USD
    without_chance_value: float  # USD


class TaxCreditTotalsValueByConfidence(TypedDict):
    high: float  # USD
    medium: float  # USD
    low: float  # USD


class RequestFilters(TypedDict, total=False):
    region: IsoValue | Sequence[IsoValue]
    state: str | Sequence[str]
    county: str
    fips: str | Sequence[str]
    fuel_type: str | Sequence[str]
    active: bool
    id: str | Sequence[str]
    q: str
    poi: str
    capacity_min: float
    capacity_max: float
    date_from: str
    date_to: str
    cod_from: str
    cod_to: str
    ia_from: str
    ia_to: str
    near: str
    lat: float
    lon: float
    radius_km: float
    bbox: Any | Sequence[Any]
    polygon: float | Sequence[float]
    construction_stage: ConstructionStageValue | Sequence[ConstructionStageValue]
    study_phase: str
    ia_status: str
    min_confidence: float
    plant_state: PlantStateValue | Sequence[PlantStateValue]
    request_class: RequestClassValue | Sequence[RequestClassValue]


class BuyCreditsParams(TypedDict, total=False):
    amount_usd: Required[int]


class ChangeCreditsParams(TypedDict, total=False):
    daily_cap_usd: Required[float | None]


class ChangeKeyParams(TypedDict, total=False):
    daily_queries: Required[int | None]


class ConfirmAlertsParams(TypedDict, total=False):
    token: Required[str]


class ConfirmEmailParams(TypedDict, total=False):
    token: Required[str]


class DeleteAccountParams(TypedDict, total=False):
    confirm: Required[str]


class GetDeveloperParams(TypedDict, total=False):
    as_of: str


class GetDeveloperCapitalParams(TypedDict, total=False):
    include_parent: bool


class GetDeveloperStatsParams(TypedDict, total=False):
    as_of: str


class GetProjectTaxCreditParams(TypedDict, total=False):
    region: RegionValue


class GetQuerySchemaParams(TypedDict, total=False):
    database: DatabaseValue


class GetUsageParams(TypedDict, total=False):
    format: Literal["json", "csv"]


class RecoverKeyParams(TypedDict, total=False):
    token: Required[str]


class ReplayWebhookParams(TypedDict, total=False):
    after: Required[int]


class RequestKeyParams(TypedDict, total=False):
    email: Required[str]


class ResolveManyParams(TypedDict, total=False):
    queries: Required[ResolveManyRequestQueries | Sequence[ResolveManyRequestQueries]]


class RotateKeyParams(TypedDict, total=False):
    grace_seconds: int


class StartCheckoutParams(TypedDict, total=False):
    amount_usd: Required[int]


class ValidateParams(TypedDict, total=False):
    as_of: str


class VerifyEmailParams(TypedDict, total=False):
    email: Required[str]


class ChangeWatchlistParams(TypedDict, total=False):
    name: str
    filters: ChangeWatchlistRequestFilters


class CreateWatchlistParams(TypedDict, total=False):
    name: Required[str]
    filters: Required[CreateWatchlistRequestFilters]


class GetDgStatsParams(TypedDict, total=False):
    source: SourceValue
    year: int


class GetOwnershipParams(TypedDict, total=False):
    region: RegionValue
    as_of: str


class GetReconciliationParams(TypedDict, total=False):
    region: RegionValue | Sequence[RegionValue]
    source: Literal["lbnl", "eia860", "operator"] | Sequence[Literal["lbnl", "eia860", "operator"]]


class GetScoreParams(TypedDict, total=False):
    region: RegionValue
    as_of: str


class GetSourceContractsParams(TypedDict, total=False):
    region: RegionValue | Sequence[RegionValue]
    columns: bool


class QuoteParams(TypedDict, total=False):
    operation: Required[str]
    params: dict[str, Any]


class SummariseMilestonesParams(TypedDict, total=False):
    include_unlisted: bool
    as_of: str


class GetProjectParams(TypedDict, total=False):
    region: RegionValue
    fields: FieldsValue7 | Sequence[FieldsValue7]
    as_of: str


class GetProjectProvenanceParams(TypedDict, total=False):
    region: RegionValue
    field: FieldValue
    as_of: str


class GetQueueIntegrityParams(TypedDict, total=False):
    page: int
    per_page: int
    cursor: str


class GetWatchlistParams(TypedDict, total=False):
    page: int
    per_page: int
    cursor: str


class ListSavedQueriesParams(TypedDict, total=False):
    page: int
    per_page: int
    cursor: str


class ListWatchlistChangesParams(TypedDict, total=False):
    after: int
    newest: bool
    per_page: int


class ListWatchlistsParams(TypedDict, total=False):
    page: int
    per_page: int
    cursor: str


class ListWebhooksParams(TypedDict, total=False):
    page: int
    per_page: int
    cursor: str


class RegisterParams(TypedDict, total=False):
    email: Required[str]
    name: str
    daily_queries: int


class RunQueryParams(TypedDict, total=False):
    sql: Required[str]
    database: DatabaseValue
    safe: bool


class RunSavedQueryParams(TypedDict, total=False):
    format: FormatValue4
    safe: bool
    values: dict[str, str]


class SummariseChangesParams(TypedDict, total=False):
    since_days: int
    as_of: str
    region: IsoValue | Sequence[IsoValue]


class SummariseEventsParams(TypedDict, total=False):
    developer: str
    days: int
    include_parent: bool


class ChangeSavedQueryParams(TypedDict, total=False):
    name: str
    sql: str
    database: DatabaseValue
    parameters: ChangeSavedQueryRequestParameters | Sequence[ChangeSavedQueryRequestParameters]


class CreateSavedQueryParams(TypedDict, total=False):
    name: Required[str]
    sql: Required[str]
    database: DatabaseValue
    parameters: CreateSavedQueryRequestParameters | Sequence[CreateSavedQueryRequestParameters]


class GetDeveloperHistoryParams(TypedDict, total=False):
    order: Literal["asc", "desc"]
    page: int
    per_page: int
    cursor: str


class GetQueryParams(TypedDict, total=False):
    sql: Required[str]
    database: DatabaseValue
    safe: bool
    format: FormatValue4


class GetStatsParams(TypedDict, total=False):
    as_of: str
    population: Literal["transmission", "all"]
    include_unlisted: bool
    distinct: Literal["plant"]


class ListDeliveriesParams(TypedDict, total=False):
    status: Literal["pending", "delivered", "failed"]
    page: int
    per_page: int
    cursor: str


class ListIntegrityFindingsParams(TypedDict, total=False):
    region: RegionValue
    page: int
    per_page: int
    cursor: str


class ResolveParams(TypedDict, total=False):
    q: Required[str]
    region: RegionValue
    state: str
    county: str


class SearchParams(TypedDict, total=False):
    q: Required[str]
    page: int
    per_page: int
    as_of: str


class VerifyValueParams(TypedDict, total=False):
    project_id: Required[str]
    field: Required[FieldValue3]
    region: RegionValue
    as_of: str


class GetProjectHistoryParams(GetDeveloperHistoryParams, total=False):
    region: RegionValue


class GetScoreHistoryParams(GetProjectHistoryParams, total=False):
    pass


class StreamEventsParams(TypedDict, total=False):
    after: int
    event: EventValue | Sequence[EventValue]
    event_type: EventTypeValue2 | Sequence[EventTypeValue2]
    developer: str
    min_confidence: float


class StreamScoresParams(TypedDict, total=False):
    after: int
    id: str | Sequence[str]
    min_score: int
    investable: bool
    grade: GradeValue | Sequence[GradeValue]


class SearchDevelopersParams(SearchParams, total=False):
    limit: int
    cursor: str


class ChangeWebhookParams(TypedDict, total=False):
    url: str
    format: FormatValue
    filters: ChangeWebhookRequestFilters | None
    watchlist_id: int | None
    include_row: bool
    digest: Literal["daily"] | None
    events: Literal["changes", "usage"] | Sequence[Literal["changes", "usage"]]
    enabled: bool


class CreateWebhookParams(TypedDict, total=False):
    url: Required[str]
    format: FormatValue
    filters: CreateWebhookRequestFilters
    watchlist_id: int
    include_row: bool
    digest: Literal["daily"] | None
    events: Literal["changes", "usage"] | Sequence[Literal["changes", "usage"]]
    after: int


class ListDeveloperEventsParams(TypedDict, total=False):
    event_type: EventTypeValue
    days: int
    since: str
    until: str
    include_parent: bool
    page: int
    per_page: int
    cursor: str


class ListMarketHubsParams(ListIntegrityFindingsParams, total=False):
    iso: RegionValue
    hub: str
    hub_type: HubTypeValue
    market: Literal["day_ahead", "real_time", "real_time_commitment"]


class GetCapitalLeaderboardParams(TypedDict, total=False):
    sort: Literal["capital_raised", "divergence", "distress"]
    min_raised: float
    tier: str
    include_parent: bool
    exclude_tiers: str
    page: int
    limit: int
    per_page: int
    cursor: str


class ListMaterialEventsParams(TypedDict, total=False):
    event_type: Literal["financing", "ma", "distress"]
    developer: str
    category: CategoryValue
    matched_only: bool
    energy_only: bool
    since: str
    page: int
    per_page: int
    cursor: str


class ListPoisParams(GetDeveloperHistoryParams, total=False):
    region: IsoValue | Sequence[IsoValue]
    state: str | Sequence[str]
    bbox: Any | Sequence[Any]
    q: str
    sort: SortValue3


class ListProjectChangesParams(TypedDict, total=False):
    region: RegionValue
    since: str
    until: str
    after: int
    change_type: ChangeTypeValue2 | Sequence[ChangeTypeValue2]
    include_evidence: bool
    include: Literal["raw"] | Sequence[Literal["raw"]]
    as_of: str
    per_page: int


class OpenDisputeParams(TypedDict, total=False):
    about: Required[AboutValue]
    project_id: str
    field: FieldValue2
    as_of: str
    developer_id: str
    identifier: str
    proposed: str
    reason: Required[str]
    evidence_url: Required[str]


class ListCapitalRaisesParams(TypedDict, total=False):
    developer: str
    issuer: str
    matched_only: bool
    energy_only: bool
    min_amount_sold: float
    since: str
    is_amendment: bool
    page: int
    per_page: int
    cursor: str


class ListEventsParams(ListDeveloperEventsParams, total=False):
    developer: str
    min_confidence: float


class ListMaEventsParams(ListIntegrityFindingsParams, total=False):
    event_type: Literal["ownership_change", "queue_developer_change"]
    developer: str
    technology: str
    min_confidence: Literal["high", "medium", "low"]
    matched_only: bool
    since: str


class CalculateTaxCreditsParams(TypedDict, total=False):
    technology: Required[TechnologyValue]
    capacity_mw: Required[float]
    state: Required[StateValue]
    county: str
    cod_year: int
    domestic_content: bool
    construction_start: str
    pwa: bool
    tract: str
    low_income_category: int
    credit: Literal["auto", "itc", "ptc"]


class ListMarketPricesParams(ListIntegrityFindingsParams, total=False):
    iso: RegionValue
    hub: str
    market: Literal["day_ahead", "real_time", "real_time_commitment"]
    interval: Literal["hour", "day", "month"]
    from_: str
    to: str
    sort: Literal["newest", "oldest"]


class ExportPricesParams(TypedDict, total=False):
    region: RegionValue
    iso: RegionValue
    hub: str
    market: Literal["day_ahead", "real_time", "real_time_commitment"]
    interval: Literal["hour", "day", "month"]
    from_: str
    to: str
    fields: FieldsValue4 | Sequence[FieldsValue4]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue2


class GetPricesExportManifestParams(ExportPricesParams, total=False):
    pass


class ListDatacenterPipelineParams(GetDeveloperHistoryParams, total=False):
    state: str
    record: Literal["proposal", "load_request"]
    status: StatusValue
    kind: Literal["facility", "other", "all"]
    company: str
    q: str
    capacity_min: float
    sort: Literal["capacity_mw", "name", "updated_on"]


class ExportDevelopersParams(TypedDict, total=False):
    tier: DeveloperTierValue
    company_kind: Literal["sponsor", "special_purpose"]
    state: str
    min_projects: int
    needs_capital: bool
    identifier: str
    q: str
    as_of: str
    fields: FieldsValue2 | Sequence[FieldsValue2]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue2


class GetDevelopersExportManifestParams(ExportDevelopersParams, total=False):
    pass


class ListDevelopersParams(GetDeveloperHistoryParams, total=False):
    tier: DeveloperTierValue
    company_kind: Literal["sponsor", "special_purpose"]
    state: str
    min_projects: int
    needs_capital: bool
    identifier: str
    q: str
    sort: SortValue
    as_of: str


class ListDatacentersParams(GetDeveloperHistoryParams, total=False):
    state: str
    operator: str
    q: str
    status: StatusValue2
    capacity_min: float
    source: Literal["datacenter-map", "datacenter-energy", "datacenter-guide"]
    duplicates: bool
    lat: float
    lon: float
    radius_km: float
    sort: Literal["name", "capacity_mw", "state"]


class ListDgParams(GetDeveloperHistoryParams, total=False):
    source: SourceValue
    kind: Literal["installation", "utility_total", "area_total"]
    state: str
    technology: TechnologyValue
    sector: SectorValue
    program: Literal["net_metering", "virtual_net_metering", "non_net_metering"]
    utility: str
    area_type: AreaTypeValue
    year: int
    capacity_min: float
    in_totals: bool
    sort: SortValue2


class ListGeneratorsParams(GetDeveloperHistoryParams, total=False):
    plant_id: int
    year: int
    state: str
    utility: str
    technology: str
    stage: Literal["operable", "proposed", "retired"]
    status: str
    operating_year_from: int
    operating_year_to: int
    capacity_min: float
    capacity_max: float
    sort: Literal["plant_id", "capacity_mw", "operating_year"]


class ExportPlantsParams(TypedDict, total=False):
    plant_id: int
    year: int
    state: str
    county: str
    q: str
    utility: str
    owner: str
    balancing_authority: str
    nerc_region: str
    technology: str
    capacity_min: float
    lat: float
    lon: float
    radius_km: float
    fields: FieldsValue3 | Sequence[FieldsValue3]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue3


class GetPlantsExportManifestParams(ExportPlantsParams, total=False):
    pass


class ListPlantsParams(GetDeveloperHistoryParams, total=False):
    plant_id: int
    year: int
    state: str
    county: str
    q: str
    utility: str
    owner: str
    balancing_authority: str
    nerc_region: str
    technology: str
    capacity_min: float
    lat: float
    lon: float
    radius_km: float
    sort: Literal["plant_id", "name", "operable_mw"]


class ExportScoresParams(RequestFilters, total=False):
    iso: IsoValue | Sequence[IsoValue]
    developer: str
    developer_id: int | Sequence[int]
    updated_since: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    needs_capital: bool
    min_score: int
    technology: str
    status: str | Sequence[str]
    investable: bool
    as_of: str
    fields: FieldsValue6 | Sequence[FieldsValue6]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue2


class GetScoresExportManifestParams(ExportScoresParams, total=False):
    pass


class ListInvestableParams(RequestFilters, total=False):
    iso: IsoValue | Sequence[IsoValue]
    developer: str
    developer_id: int | Sequence[int]
    updated_since: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    needs_capital: bool
    min_score: int
    technology: str
    min_p: float
    max_months: int
    min_mw: float
    status: str | Sequence[str]
    fields: FieldsValue9 | Sequence[FieldsValue9]
    page: int
    per_page: int
    cursor: str


class ListItcDealsParams(RequestFilters, total=False):
    min_rate: float
    status: Literal["eligible", "conditional"]
    iso: IsoValue | Sequence[IsoValue]
    developer: str
    developer_id: int | Sequence[int]
    updated_since: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    needs_capital: bool
    min_score: int
    technology: str
    investable: bool
    sort: Literal["expected_credit_value", "estimated_credit_value"]
    fields: FieldsValue10 | Sequence[FieldsValue10]
    page: int
    per_page: int
    cursor: str


class CompareDaysParams(RequestFilters, total=False):
    from_: Required[str]
    to: Required[str]
    by: ByValue
    iso: IsoValue | Sequence[IsoValue]
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    include_unlisted: bool
    developer: str
    developer_id: int | Sequence[int]
    withdrawn_from: str
    withdrawn_to: str
    updated_since: str
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    population: Literal["transmission", "all"]
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]
    page: int
    per_page: int
    cursor: str


class GetProjectTileParams(RequestFilters, total=False):
    iso: IsoValue | Sequence[IsoValue]
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    include_unlisted: bool
    developer: str
    developer_id: int | Sequence[int]
    withdrawn_from: str
    withdrawn_to: str
    updated_since: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    investable: bool
    needs_capital: bool
    min_score: int
    population: Literal["transmission", "all"]
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]
    as_of: str


class StreamChangesParams(RequestFilters, total=False):
    after: int
    change_type: ChangeTypeValue2 | Sequence[ChangeTypeValue2]
    include_evidence: bool
    include: Literal["row", "raw"] | Sequence[Literal["row", "raw"]]
    project_id: str
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    developer: str
    developer_id: int | Sequence[int]
    withdrawn_from: str
    withdrawn_to: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    investable: bool
    needs_capital: bool
    min_score: int
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]


class ListDeveloperProjectsParams(RequestFilters, total=False):
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    include_unlisted: bool
    withdrawn_from: str
    withdrawn_to: str
    updated_since: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    investable: bool
    needs_capital: bool
    min_score: int
    population: Literal["transmission", "all"]
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]
    fields: FieldsValue8 | Sequence[FieldsValue8]
    sort: Literal["capacity_mw", "queue_date_std", "status_std"]
    order: Literal["asc", "desc"]
    as_of: str
    page: int
    per_page: int
    cursor: str


class GroupProjectsParams(GetProjectTileParams, total=False):
    by: ByValue2
    distinct: Literal["plant"]
    page: int
    per_page: int
    cursor: str


class ExportProjectsParams(GetProjectTileParams, total=False):
    type: str | Sequence[str]
    after_seq: int
    fields: FieldsValue5 | Sequence[FieldsValue5]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue3


class GetExportManifestParams(ExportProjectsParams, total=False):
    pass


class ListProjectsParams(GetProjectTileParams, total=False):
    distinct: Literal["plant"]
    fields: FieldsValue5 | Sequence[FieldsValue5]
    sort: SortValue4
    order: Literal["asc", "desc"]
    page: int
    per_page: int
    cursor: str


class ExportChangesParams(RequestFilters, total=False):
    since: str
    until: str
    after: int
    include: Literal["raw"] | Sequence[Literal["raw"]]
    change_type: ChangeTypeValue | Sequence[ChangeTypeValue]
    old_status_std: OldStatusStdValue | Sequence[OldStatusStdValue]
    new_status_std: OldStatusStdValue | Sequence[OldStatusStdValue]
    include_evidence: bool
    project_id: str
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    developer: str
    developer_id: int | Sequence[int]
    withdrawn_from: str
    withdrawn_to: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    investable: bool
    needs_capital: bool
    min_score: int
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]
    as_of: str
    fields: FieldsValue | Sequence[FieldsValue]
    limit: int
    compression: Literal["zstd", "snappy"]
    safe: bool
    format: FormatValue2


class GetChangesExportManifestParams(ExportChangesParams, total=False):
    pass


class ListChangesParams(RequestFilters, total=False):
    since_days: int
    since: str
    until: str
    after: int
    include: Literal["row", "raw"] | Sequence[Literal["row", "raw"]]
    change_type: ChangeTypeValue | Sequence[ChangeTypeValue]
    old_status_std: OldStatusStdValue | Sequence[OldStatusStdValue]
    new_status_std: OldStatusStdValue | Sequence[OldStatusStdValue]
    include_evidence: bool
    project_id: str
    status: str | Sequence[str]
    listed: Literal["listed", "missing", "disappeared"] | Sequence[Literal["listed", "missing", "disappeared"]]
    developer: str
    developer_id: int | Sequence[int]
    withdrawn_from: str
    withdrawn_to: str
    energy_community: bool
    low_income: bool
    has_tax_credit: bool
    developer_tier: DeveloperTierValue | Sequence[DeveloperTierValue]
    investable: bool
    needs_capital: bool
    min_score: int
    kind: KindValue | Sequence[KindValue]
    poi_id: str | Sequence[str]
    utility: str | Sequence[str]
    as_of: str
    fields: FieldsValue | Sequence[FieldsValue]
    page: int
    per_page: int
    cursor: str
