"""A method for each operation. Generated from the OpenAPI document: do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._base import AsyncBase, AsyncContent, AsyncEvents, AsyncFeed, AsyncListing, Base, Content, Events, Feed, Listing
from ._plans import Route

if TYPE_CHECKING:
    from typing import Unpack

    from . import types as t


ROUTES = {
    "buy_credits": Route("POST", "/credits"),
    "calculate_tax_credits": Route("GET", "/tax-credits/calculate"),
    "change_credits": Route("PATCH", "/credits"),
    "change_key": Route("PATCH", "/keys"),
    "change_saved_query": Route("PATCH", "/queries/{query_id}"),
    "change_watchlist": Route("PATCH", "/watchlists/{watchlist_id}"),
    "change_webhook": Route("PATCH", "/webhooks/{webhook_id}"),
    "compare_days": Route("POST", "/compare", is_read=True),
    "confirm_alerts": Route("POST", "/alerts/confirm"),
    "confirm_email": Route("POST", "/account/email/confirm"),
    "create_saved_query": Route("POST", "/queries"),
    "create_watchlist": Route("POST", "/watchlists"),
    "create_webhook": Route("POST", "/webhooks"),
    "delete_account": Route("DELETE", "/account"),
    "delete_saved_query": Route("DELETE", "/queries/{query_id}"),
    "delete_watchlist": Route("DELETE", "/watchlists/{watchlist_id}"),
    "delete_webhook": Route("DELETE", "/webhooks/{webhook_id}"),
    "describe_dataset": Route("GET", "/catalog/data/{dataset}"),
    "export_account": Route("GET", "/account/export"),
    "export_changes": Route("GET", "/export/changes", kind="content"),
    "export_developers": Route("GET", "/export/developers", kind="content"),
    "export_plants": Route("GET", "/export/plants", kind="content"),
    "export_prices": Route("GET", "/export/prices", kind="content"),
    "export_projects": Route("GET", "/export/projects", kind="content"),
    "export_scores": Route("GET", "/export/scores", kind="content"),
    "get_archive_file": Route("GET", "/archive/{dataset}/{series}/{file}", kind="content"),
    "get_asyncapi": Route("GET", "/asyncapi.json"),
    "get_capital_leaderboard": Route("GET", "/capital/leaderboard", kind="list", row="GetCapitalLeaderboardResponseData", dates=("latest_raise",)),
    "get_catalog": Route("GET", "/catalog"),
    "get_changes_export_manifest": Route("GET", "/export/changes/manifest"),
    "get_coverage": Route("GET", "/coverage"),
    "get_credits": Route("GET", "/credits"),
    "get_data_catalog": Route("GET", "/catalog/data"),
    "get_developer": Route("GET", "/developers/{developer_id}"),
    "get_developer_capital": Route("GET", "/developers/{developer_id}/capital"),
    "get_developer_history": Route("GET", "/developers/{developer_id}/history", kind="list", row="GetDeveloperHistoryResponseData", dates=("day",)),
    "get_developer_stats": Route("GET", "/developers/stats"),
    "get_developers_export_manifest": Route("GET", "/export/developers/manifest"),
    "get_dg_stats": Route("GET", "/dg/stats"),
    "get_dispute": Route("GET", "/disputes/{dispute_id}"),
    "get_docs": Route("GET", "/docs", kind="content"),
    "get_event_docs": Route("GET", "/docs/events", kind="content"),
    "get_export_manifest": Route("GET", "/export/projects/manifest"),
    "get_file": Route("GET", "/files/{sha256}"),
    "get_file_bytes": Route("GET", "/files/{sha256}/bytes", kind="content"),
    "get_freshness": Route("GET", "/health/freshness"),
    "get_health": Route("GET", "/health"),
    "get_health_detailed": Route("GET", "/health/detailed"),
    "get_llms": Route("GET", "/llms.txt", kind="content"),
    "get_llms_full": Route("GET", "/llms-full.txt", kind="content"),
    "get_manifest": Route("GET", "/"),
    "get_manifest_file": Route("GET", "/manifest.json"),
    "get_openapi": Route("GET", "/openapi.json"),
    "get_ownership": Route("GET", "/projects/{project_id}/ownership"),
    "get_plants_export_manifest": Route("GET", "/export/plants/manifest"),
    "get_poi": Route("GET", "/pois/{poi_id}"),
    "get_prices_export_manifest": Route("GET", "/export/prices/manifest"),
    "get_pricing_info": Route("GET", "/pricing-info"),
    "get_project": Route("GET", "/projects/{project_id}"),
    "get_project_history": Route("GET", "/projects/{project_id}/history", kind="list", row="ProjectState", dates=("valid_from", "valid_to",)),
    "get_project_provenance": Route("GET", "/projects/{project_id}/provenance"),
    "get_project_tax_credit": Route("GET", "/projects/{project_id}/tax-credit"),
    "get_project_tile": Route("GET", "/tiles/{z}/{x}/{y}.mvt", kind="content"),
    "get_query": Route("GET", "/query", kind="text"),
    "get_query_schema": Route("GET", "/query/schema"),
    "get_queue_integrity": Route("GET", "/queue/integrity"),
    "get_receipt": Route("GET", "/receipts/{receipt_id}"),
    "get_reconciliation": Route("GET", "/reconciliation"),
    "get_register_page": Route("GET", "/register", kind="content"),
    "get_saved_query": Route("GET", "/queries/{query_id}"),
    "get_score": Route("GET", "/score/{project_id}"),
    "get_score_backtest": Route("GET", "/scores/backtest"),
    "get_score_history": Route("GET", "/score/{project_id}/history", kind="list", row="GetScoreHistoryResponseData", dates=("day", "until",)),
    "get_scores_export_manifest": Route("GET", "/export/scores/manifest"),
    "get_source_contracts": Route("GET", "/source-contracts"),
    "get_source_freshness": Route("GET", "/source-freshness"),
    "get_stats": Route("GET", "/stats"),
    "get_usage": Route("GET", "/usage", kind="text"),
    "get_watchlist": Route("GET", "/watchlists/{watchlist_id}", kind="list", row="GetWatchlistResponseData", dates=("plant_reported_on", "construction_begun_by", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "first_seen_at", "last_changed_at", "missing_since",)),
    "get_webhook": Route("GET", "/webhooks/{webhook_id}"),
    "group_projects": Route("GET", "/projects/groups", kind="list", row="GroupProjectsResponseData"),
    "list_archive": Route("GET", "/archive"),
    "list_capital_raises": Route("GET", "/capital-raises", kind="list", row="CapitalRaise", dates=("filing_date", "date_of_first_sale",)),
    "list_changes": Route("GET", "/changes", kind="feed", is_list=True, row="ListChangesResponse2Data", dates=("detected_at",)),
    "list_datacenter_pipeline": Route("GET", "/datacenters/pipeline", kind="list", row="PlannedDatacenter", dates=("queue_date", "cod", "as_of", "updated_on",)),
    "list_datacenters": Route("GET", "/datacenters", kind="list", row="ListDatacentersResponseData", dates=("as_of",)),
    "list_deliveries": Route("GET", "/webhooks/{webhook_id}/deliveries", kind="list", row="Delivery", dates=("created_at", "last_attempt_at", "next_attempt_at",)),
    "list_developer_events": Route("GET", "/developers/{developer_id}/events", kind="list", row="ListDeveloperEventsResponseData", dates=("published_at",)),
    "list_developer_projects": Route("GET", "/developers/{developer_id}/projects", kind="list", rows="projects", row="PortfolioProject"),
    "list_developers": Route("GET", "/developers", kind="list", row="Developer"),
    "list_dg": Route("GET", "/dg", kind="list", row="DistributedGeneration", dates=("published_on", "in_service_on",)),
    "list_events": Route("GET", "/events", kind="list", row="NewsEvent", dates=("published_at",)),
    "list_generators": Route("GET", "/grid/generators", kind="list", row="Generator", dates=("as_of",)),
    "list_integrity_findings": Route("GET", "/queue/integrity/{finding}", kind="list", row="ListIntegrityFindingsResponseData", dates=("cod", "last_changed_at", "queue_date", "actual_cod", "energized_date", "withdrawn_date",)),
    "list_investable": Route("GET", "/investable", kind="list", row="InvestableProject", dates=("cod", "facts_as_of",)),
    "list_itc_deals": Route("GET", "/deals/itc", kind="list", row="ItcDeal", dates=("cod", "facts_as_of",)),
    "list_ma_events": Route("GET", "/ma-events", kind="list", row="MaEvent", dates=("effective_date",)),
    "list_market_hubs": Route("GET", "/market/hubs", kind="list", row="ListMarketHubsResponseData"),
    "list_market_prices": Route("GET", "/market/prices", kind="list", row="MarketPrice", dates=("starts_at", "local_date", "published",)),
    "list_material_events": Route("GET", "/material-events", kind="list", row="MaterialEvent", dates=("filing_date", "report_date",)),
    "list_plans": Route("GET", "/plans"),
    "list_plants": Route("GET", "/grid/plants", kind="list", row="Plant", dates=("as_of",)),
    "list_pois": Route("GET", "/pois", kind="list", row="Poi"),
    "list_project_changes": Route("GET", "/projects/{project_id}/changes", kind="feed", row="Change", dates=("detected_at",)),
    "list_projects": Route("GET", "/projects", kind="list", row="ListProjectsResponseData", dates=("plant_reported_on", "construction_begun_by", "queue_date", "queue_date_current", "cod", "actual_cod", "withdrawn_date", "ia_date", "backfeed_date", "energized_date", "first_seen_at", "last_changed_at", "missing_since",)),
    "list_provenance_rules": Route("GET", "/provenance/rules"),
    "list_saved_queries": Route("GET", "/queries", kind="list", row="SavedQuery", dates=("created_at", "changed_at",)),
    "list_watchlist_changes": Route("GET", "/watchlists/{watchlist_id}/changes", kind="feed", row="ListWatchlistChangesResponseData", dates=("detected_at",)),
    "list_watchlists": Route("GET", "/watchlists", kind="list", row="Watchlist", dates=("created_at", "expires_at",)),
    "list_webhooks": Route("GET", "/webhooks", kind="list", row="Webhook", dates=("disabled_at", "old_secret_until", "created_at",)),
    "open_dispute": Route("POST", "/disputes"),
    "quote": Route("POST", "/quote", is_read=True),
    "recover_key": Route("POST", "/keys/recover/confirm"),
    "redeliver": Route("POST", "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"),
    "register": Route("POST", "/register"),
    "replay_webhook": Route("POST", "/webhooks/{webhook_id}/replay"),
    "request_key": Route("POST", "/keys/recover"),
    "resolve": Route("GET", "/resolve"),
    "resolve_many": Route("POST", "/resolve", is_read=True),
    "revoke_key": Route("POST", "/keys/revoke"),
    "rotate_key": Route("POST", "/keys/rotate"),
    "rotate_webhook": Route("POST", "/webhooks/{webhook_id}/rotate"),
    "run_query": Route("POST", "/query", kind="text", is_read=True),
    "run_saved_query": Route("GET", "/queries/{query_id}/run", kind="text"),
    "search": Route("GET", "/search"),
    "search_developers": Route("GET", "/developers/search", kind="list", rows="results", per_page=100, row="SearchDevelopersResponseResults"),
    "start_checkout": Route("POST", "/credits/checkout"),
    "stop_alerts": Route("POST", "/unsubscribe/{token}"),
    "stream_changes": Route("GET", "/changes/stream", kind="events"),
    "stream_events": Route("GET", "/events/stream", kind="events"),
    "stream_scores": Route("GET", "/scores/stream", kind="events"),
    "summarise_changes": Route("GET", "/changes/summary"),
    "summarise_events": Route("GET", "/events/summary"),
    "summarise_ma_events": Route("GET", "/ma-events/summary"),
    "summarise_milestones": Route("GET", "/projects/milestones/summary"),
    "test_webhook": Route("POST", "/webhooks/{webhook_id}/test"),
    "validate": Route("GET", "/validate"),
    "verify_email": Route("POST", "/account/email"),
    "verify_value": Route("GET", "/verify"),
}


class Operations(Base):
    def buy_credits(self, **params: Unpack[t.BuyCreditsParams]) -> t.BuyCreditsResponse:
        """Sells prepaid credits to an agent: 402 with a card challenge (MPP stripe/charge), and with its payment the token."""
        return self._call(ROUTES["buy_credits"], {**params})

    def calculate_tax_credits(self, **params: Unpack[t.CalculateTaxCreditsParams]) -> t.CalculateTaxCreditsResponse:
        """Investment and production tax credit of a plant: base rate, bonus adders, end dates, warnings and the law behind each."""
        return self._call(ROUTES["calculate_tax_credits"], {**params})

    def change_credits(self, **params: Unpack[t.ChangeCreditsParams]) -> t.ChangeCreditsResponse:
        """Sets or removes the daily spending cap of the credit token of this request."""
        return self._call(ROUTES["change_credits"], {**params})

    def change_key(self, **params: Unpack[t.ChangeKeyParams]) -> t.ChangeKeyResponse:
        """Sets or removes the daily cap on queries of the key of this request."""
        return self._call(ROUTES["change_key"], {**params})

    def change_saved_query(self, query_id: int, **params: Unpack[t.ChangeSavedQueryParams]) -> t.SavedQuery:
        """Renames a saved query, or replaces its statement, database or parameters."""
        return self._call(ROUTES["change_saved_query"], {"query_id": query_id, **params})

    def change_watchlist(self, watchlist_id: int, **params: Unpack[t.ChangeWatchlistParams]) -> t.Watchlist:
        """Renames a watchlist or replaces its filters; requests that this adds or removes are not reported as entered or left."""
        return self._call(ROUTES["change_watchlist"], {"watchlist_id": watchlist_id, **params})

    def change_webhook(self, webhook_id: int, **params: Unpack[t.ChangeWebhookParams]) -> t.Webhook:
        """Changes or re-enables a webhook; pending deliveries are then sent."""
        return self._call(ROUTES["change_webhook"], {"webhook_id": webhook_id, **params})

    def compare_days(self, **params: Unpack[t.CompareDaysParams]) -> t.CompareDaysResponse:
        """Compares the requests of two days: as sums, as a matrix of old and new values, and as rows. Filters apply to the request on each day."""
        return self._call(ROUTES["compare_days"], {**params})

    def confirm_alerts(self, **params: Unpack[t.ConfirmAlertsParams]) -> t.ConfirmAlertsResponse:
        """Confirms by the token of a mailed link that its address receives changes by e-mail. Idempotent."""
        return self._call(ROUTES["confirm_alerts"], {**params})

    def confirm_email(self, **params: Unpack[t.ConfirmEmailParams]) -> t.ConfirmEmailResponse:
        """Verifies an account's e-mail address by the token of a mailed link."""
        return self._call(ROUTES["confirm_email"], {**params})

    def create_saved_query(self, **params: Unpack[t.CreateSavedQueryParams]) -> t.SavedQuery:
        """Saves a statement with parameters under a name. It is checked as in POST /query, but not run."""
        return self._call(ROUTES["create_saved_query"], {**params})

    def create_watchlist(self, **params: Unpack[t.CreateWatchlistParams]) -> t.Watchlist:
        """Saves filters of requests as a watchlist, whose changes are tracked."""
        return self._call(ROUTES["create_watchlist"], {**params})

    def create_webhook(self, **params: Unpack[t.CreateWebhookParams]) -> t.CreateWebhookResponse:
        """Sends changes, from now on or from a `seq`, to an address that echoes a challenge, to Slack or Teams, or as mails once the link in the first one was opened. The response contains the signing secret, shown only once."""
        return self._call(ROUTES["create_webhook"], {**params})

    def delete_account(self, **params: Unpack[t.DeleteAccountParams]) -> t.DeleteAccountResponse:
        """Deletes the account of the key, permanently: its keys, usage, watchlists, webhooks and saved queries."""
        return self._call(ROUTES["delete_account"], {**params})

    def delete_saved_query(self, query_id: int) -> t.DeleteSavedQueryResponse:
        """Deletes a saved query."""
        return self._call(ROUTES["delete_saved_query"], {"query_id": query_id})

    def delete_watchlist(self, watchlist_id: int) -> t.DeleteWatchlistResponse:
        """Deletes a watchlist. 409 while a webhook uses it."""
        return self._call(ROUTES["delete_watchlist"], {"watchlist_id": watchlist_id})

    def delete_webhook(self, webhook_id: int) -> t.DeleteWebhookResponse:
        """Deletes a webhook with its deliveries."""
        return self._call(ROUTES["delete_webhook"], {"webhook_id": webhook_id})

    def describe_dataset(self, dataset: t.DatasetValue) -> t.DescribeDatasetResponse:
        """One dataset: what it has, what it does not answer, what is missing of it now, its sources and endpoints."""
        return self._call(ROUTES["describe_dataset"], {"dataset": dataset})

    def export_account(self) -> t.ExportAccountResponse:
        """Everything stored about the account of the key: keys, usage, watchlists, webhooks and saved queries. Deliveries are in /webhooks/{webhook_id}/deliveries."""
        return self._call(ROUTES["export_account"], {})

    def export_changes(self, **params: Unpack[t.ExportChangesParams]) -> Content:
        """Changes in the queues after a `seq`, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Filters apply to the requests now, or as of a day."""
        return Content(self, ROUTES["export_changes"], {**params})

    def export_developers(self, **params: Unpack[t.ExportDevelopersParams]) -> Content:
        """All developers that match the filters, with their portfolios, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel."""
        return Content(self, ROUTES["export_developers"], {**params})

    def export_plants(self, **params: Unpack[t.ExportPlantsParams]) -> Content:
        """All power plants of form EIA-860 in one year that match the filters, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON."""
        return Content(self, ROUTES["export_plants"], {**params})

    def export_prices(self, **params: Unpack[t.ExportPricesParams]) -> Content:
        """All wholesale power prices that match the filters, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Prices that a license withholds are left out."""
        return Content(self, ROUTES["export_prices"], {**params})

    def export_projects(self, **params: Unpack[t.ExportProjectsParams]) -> Content:
        """All interconnection requests that match the filters, or only those that changed, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON."""
        return Content(self, ROUTES["export_projects"], {**params})

    def export_scores(self, **params: Unpack[t.ExportScoresParams]) -> Content:
        """The scores of all open requests that match the filters, with components and chances, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel."""
        return Content(self, ROUTES["export_scores"], {**params})

    def get_archive_file(self, dataset: Literal["projects", "changes"], series: Literal["full", "delta"], file: str) -> Content:
        """One dated file as Parquet, by its name in /archive. It never changes."""
        return Content(self, ROUTES["get_archive_file"], {"dataset": dataset, "series": series, "file": file})

    def get_asyncapi(self) -> t.GetAsyncapiResponse:
        """What is published, as an AsyncAPI 3.0 document: channels, messages and how to subscribe, with examples."""
        return self._call(ROUTES["get_asyncapi"], {})

    def get_capital_leaderboard(self, **params: Unpack[t.GetCapitalLeaderboardParams]) -> Listing[t.GetCapitalLeaderboardResponseData]:
        """Developers ranked by capital raised, capital per operating MW, or distress; ties and unknown values by late_stage_mw."""
        return Listing(self, ROUTES["get_capital_leaderboard"], {**params})

    def get_catalog(self) -> t.GetCatalogResponse:
        """Every endpoint by resource, with its parameters, response and price."""
        return self._call(ROUTES["get_catalog"], {})

    def get_changes_export_manifest(self, **params: Unpack[t.GetChangesExportManifestParams]) -> t.GetChangesExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of changes with the same parameters."""
        return self._call(ROUTES["get_changes_export_manifest"], {**params})

    def get_coverage(self) -> t.GetCoverageResponse:
        """Loaded and missing data by operator, field, dataset, location and year."""
        return self._call(ROUTES["get_coverage"], {})

    def get_credits(self) -> t.GetCreditsResponse:
        """The balance of the credit token of this request."""
        return self._call(ROUTES["get_credits"], {})

    def get_data_catalog(self) -> t.GetDataCatalogResponse:
        """Every dataset with its description, sources, licenses, size and freshness."""
        return self._call(ROUTES["get_data_catalog"], {})

    def get_developer(self, developer_id: str, **params: Unpack[t.GetDeveloperParams]) -> t.GetDeveloperResponse:
        """One developer: its names, portfolio, parent, subsidiaries and project companies."""
        return self._call(ROUTES["get_developer"], {"developer_id": developer_id, **params})

    def get_developer_capital(self, developer_id: str, **params: Unpack[t.GetDeveloperCapitalParams]) -> t.GetDeveloperCapitalResponse:
        """Capital that a developer raised, what it built, and signs that it is in distress or needs capital."""
        return self._call(ROUTES["get_developer_capital"], {"developer_id": developer_id, **params})

    def get_developer_history(self, developer_id: str, **params: Unpack[t.GetDeveloperHistoryParams]) -> Listing[t.GetDeveloperHistoryResponseData]:
        """A developer's portfolio of listed requests on every day on which a list changed it."""
        return Listing(self, ROUTES["get_developer_history"], {"developer_id": developer_id, **params})

    def get_developer_stats(self, **params: Unpack[t.GetDeveloperStatsParams]) -> t.GetDeveloperStatsResponse:
        """Number and capacity of developers by tier."""
        return self._call(ROUTES["get_developer_stats"], {**params})

    def get_developers_export_manifest(self, **params: Unpack[t.GetDevelopersExportManifestParams]) -> t.GetDevelopersExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of developers with the same parameters."""
        return self._call(ROUTES["get_developers_export_manifest"], {**params})

    def get_dg_stats(self, **params: Unpack[t.GetDgStatsParams]) -> t.GetDgStatsResponse:
        """Distributed generation of one source by state, technology, sector and year; sources overlap and are never added up."""
        return self._call(ROUTES["get_dg_stats"], {**params})

    def get_dispute(self, dispute_id: int) -> t.Dispute:
        """State of a dispute: open, accepted or refused, with the reason. Only reviewers see what its author wrote; the link is shown with a resulting correction."""
        return self._call(ROUTES["get_dispute"], {"dispute_id": dispute_id})

    def get_docs(self) -> Content:
        """Interactive documentation, usable without an internet connection."""
        return Content(self, ROUTES["get_docs"], {})

    def get_event_docs(self) -> Content:
        """Documentation of the events to subscribe to, for people; usable without an internet connection."""
        return Content(self, ROUTES["get_event_docs"], {})

    def get_export_manifest(self, **params: Unpack[t.GetExportManifestParams]) -> t.GetExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export with the same parameters."""
        return self._call(ROUTES["get_export_manifest"], {**params})

    def get_file(self, sha256: str) -> t.GetFileResponse:
        """An archived file: names, source, size, license, and each load with its outcome."""
        return self._call(ROUTES["get_file"], {"sha256": sha256})

    def get_file_bytes(self, sha256: str) -> Content:
        """The archived bytes of a file whose license allows it (EIA, Berkeley Lab). Operators' files are not available."""
        return Content(self, ROUTES["get_file_bytes"], {"sha256": sha256})

    def get_freshness(self) -> t.GetFreshnessResponse:
        """Is every pipeline as fresh as it should be?"""
        return self._call(ROUTES["get_freshness"], {})

    def get_health(self) -> t.GetHealthResponse:
        """For load balancers: 200 if the critical row counts are met, else 503."""
        return self._call(ROUTES["get_health"], {})

    def get_health_detailed(self) -> t.GetHealthDetailedResponse:
        """Rows, size and age of each database that exists."""
        return self._call(ROUTES["get_health_detailed"], {})

    def get_llms(self) -> Content:
        """Orientation for agents as plain text (llmstxt.org): what the service has, how to get access, where to read more."""
        return Content(self, ROUTES["get_llms"], {})

    def get_llms_full(self) -> Content:
        """The whole reference as Markdown: parameters, fields with units, and a current response of each endpoint."""
        return Content(self, ROUTES["get_llms_full"], {})

    def get_manifest(self) -> t.GetManifestResponse:
        """Name and version of this service, and the addresses of its documents."""
        return self._call(ROUTES["get_manifest"], {})

    def get_manifest_file(self) -> t.GetManifestFileResponse:
        """Capabilities of this service, by names that programs can search for."""
        return self._call(ROUTES["get_manifest_file"], {})

    def get_openapi(self) -> t.GetOpenapiResponse:
        """This interface as an OpenAPI 3.1 document, with examples from the data that is loaded."""
        return self._call(ROUTES["get_openapi"], {})

    def get_ownership(self, project_id: str, **params: Unpack[t.GetOwnershipParams]) -> t.GetOwnershipResponse:
        """Who owns the plant that a request became, as reported to the EIA. The owner is not the developer."""
        return self._call(ROUTES["get_ownership"], {"project_id": project_id, **params})

    def get_plants_export_manifest(self, **params: Unpack[t.GetPlantsExportManifestParams]) -> t.GetPlantsExportManifestResponse:
        """Rows, bytes and hash of the current export of plants with the same parameters."""
        return self._call(ROUTES["get_plants_export_manifest"], {**params})

    def get_poi(self, poi_id: str) -> t.GetPoiResponse:
        """One point of interconnection: its spellings, requests by outcome, what is ahead of each active one, and studied costs."""
        return self._call(ROUTES["get_poi"], {"poi_id": poi_id})

    def get_prices_export_manifest(self, **params: Unpack[t.GetPricesExportManifestParams]) -> t.GetPricesExportManifestResponse:
        """Rows, bytes and hash of the current export of prices with the same parameters."""
        return self._call(ROUTES["get_prices_export_manifest"], {**params})

    def get_pricing_info(self) -> t.GetPricingInfoResponse:
        """What a call costs without a key, by tier and endpoint, and the ways to pay that are enabled."""
        return self._call(ROUTES["get_pricing_info"], {})

    def get_project(self, project_id: str, **params: Unpack[t.GetProjectParams]) -> t.GetProjectResponse:
        """One interconnection request with every column, by its id or by any number it was ever filed under."""
        return self._call(ROUTES["get_project"], {"project_id": project_id, **params})

    def get_project_history(self, project_id: str, **params: Unpack[t.GetProjectHistoryParams]) -> Listing[t.ProjectState]:
        """Every state of one interconnection request: its days, the list's file, and the fields that differ."""
        return Listing(self, ROUTES["get_project_history"], {"project_id": project_id, **params})

    def get_project_provenance(self, project_id: str, **params: Unpack[t.GetProjectProvenanceParams]) -> t.GetProjectProvenanceResponse:
        """Origin of each value of a request: file, sheet, row, header, raw text, rule, and overruled values."""
        return self._call(ROUTES["get_project_provenance"], {"project_id": project_id, **params})

    def get_project_tax_credit(self, project_id: str, **params: Unpack[t.GetProjectTaxCreditParams]) -> t.ProjectCredit:
        """Calculation of a request's tax credit from its filed data: base rate, bonus adders, end dates, warnings and the law behind each."""
        return self._call(ROUTES["get_project_tax_credit"], {"project_id": project_id, **params})

    def get_project_tile(self, z: int, x: int, y: int, **params: Unpack[t.GetProjectTileParams]) -> Content:
        """Requests as a vector tile (Web Mercator, for 512 pixels). Below zoom 5 layer `clusters`; then `places`, each as large as its location is known (`precision`, `radius` in pixels at zoom 0), and `requests`, those of a county in the largest circle within it."""
        return Content(self, ROUTES["get_project_tile"], {"z": z, "x": x, "y": y, **params})

    def get_query(self, **params: Unpack[t.GetQueryParams]) -> t.GetQueryResponse:
        """The same as a link that can be shared: it returns the current result. While the data does not change, the result may be up to a minute old."""
        return self._call(ROUTES["get_query"], {**params})

    def get_query_schema(self, **params: Unpack[t.GetQuerySchemaParams]) -> t.GetQuerySchemaResponse:
        """All views and columns available in SQL, with types and units."""
        return self._call(ROUTES["get_query_schema"], {**params})

    def get_queue_integrity(self, **params: Unpack[t.GetQueueIntegrityParams]) -> t.GetQueueIntegrityResponse:
        """Quality of the queue data: totals, coverage, quarantined snapshots and implausible values; requests without progress, a page at a time."""
        return self._call(ROUTES["get_queue_integrity"], {**params})

    def get_receipt(self, receipt_id: str) -> t.GetReceiptResponse:
        """The payment for one call: amount, time, rail and operation. For the caller that paid; by transaction, which is public, for everyone."""
        return self._call(ROUTES["get_receipt"], {"receipt_id": receipt_id})

    def get_reconciliation(self, **params: Unpack[t.GetReconciliationParams]) -> t.GetReconciliationResponse:
        """Our counts and MW of each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals; every difference has a class and a rule."""
        return self._call(ROUTES["get_reconciliation"], {**params})

    def get_register_page(self) -> Content:
        """A page with a form that issues a free key."""
        return Content(self, ROUTES["get_register_page"], {})

    def get_saved_query(self, query_id: int) -> t.SavedQuery:
        """A saved query: its statement and its parameters."""
        return self._call(ROUTES["get_saved_query"], {"query_id": query_id})

    def get_score(self, project_id: str, **params: Unpack[t.GetScoreParams]) -> t.Score:
        """A request's investability score, its five components and the reasons."""
        return self._call(ROUTES["get_score"], {"project_id": project_id, **params})

    def get_score_backtest(self) -> t.GetScoreBacktestResponse:
        """Backtest of p_cod_24 and p_energized_24 on days outside their sample: reliability by operator and day, beside the projected date and the milestone alone."""
        return self._call(ROUTES["get_score_backtest"], {})

    def get_score_history(self, project_id: str, **params: Unpack[t.GetScoreHistoryParams]) -> Listing[t.GetScoreHistoryResponseData]:
        """Published scores of a request, with the inputs that changed: the newest 1,000 that were current at the end of a day."""
        return Listing(self, ROUTES["get_score_history"], {"project_id": project_id, **params})

    def get_scores_export_manifest(self, **params: Unpack[t.GetScoresExportManifestParams]) -> t.GetScoresExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of scores with the same parameters."""
        return self._call(ROUTES["get_scores_export_manifest"], {**params})

    def get_source_contracts(self, **params: Unpack[t.GetSourceContractsParams]) -> t.GetSourceContractsResponse:
        """The structure of each grid operator's newest list (sheets, columns, kinds of value, words) and how it differs from the list accepted before it."""
        return self._call(ROUTES["get_source_contracts"], {**params})

    def get_source_freshness(self) -> t.GetSourceFreshnessResponse:
        """When each source was last checked and last changed. Public."""
        return self._call(ROUTES["get_source_freshness"], {})

    def get_stats(self, **params: Unpack[t.GetStatsParams]) -> t.GetStatsResponse:
        """Active capacity, and totals of the listed requests by status, grid operator and technology."""
        return self._call(ROUTES["get_stats"], {**params})

    def get_usage(self, **params: Unpack[t.GetUsageParams]) -> t.GetUsageResponse:
        """Usage of the account this month, and the queries that remain."""
        return self._call(ROUTES["get_usage"], {**params})

    def get_watchlist(self, watchlist_id: int, **params: Unpack[t.GetWatchlistParams]) -> Listing[t.GetWatchlistResponseData]:
        """A watchlist and the requests that its filters choose now, a page at a time."""
        return Listing(self, ROUTES["get_watchlist"], {"watchlist_id": watchlist_id, **params})

    def get_webhook(self, webhook_id: int) -> t.Webhook:
        """One webhook: its progress, and why it was disabled."""
        return self._call(ROUTES["get_webhook"], {"webhook_id": webhook_id})

    def group_projects(self, **params: Unpack[t.GroupProjectsParams]) -> Listing[t.GroupProjectsResponseData]:
        """Number and MW of the requests that match the filters, by a common property; largest groups first."""
        return Listing(self, ROUTES["group_projects"], {**params})

    def list_archive(self) -> t.ListArchiveResponse:
        """The dated files of requests (monthly) and changes (daily), with their hashes. /archive/{dataset}/{series}/{file} returns one of them."""
        return self._call(ROUTES["list_archive"], {})

    def list_capital_raises(self, **params: Unpack[t.ListCapitalRaisesParams]) -> Listing[t.CapitalRaise]:
        """Exempt offerings of securities (Form D) as filed, newest first. An amendment restates: never sum both."""
        return Listing(self, ROUTES["list_capital_raises"], {**params})

    def list_changes(self, **params: Unpack[t.ListChangesParams]) -> Feed[t.Change | t.ListChangesResponse2Data]:
        """Changes in the queues: by day, newest first, or after a `seq`, oldest first, as an endless log. Filters apply to the requests now, or as of a day."""
        return Feed(self, ROUTES["list_changes"], {**params})

    def list_datacenter_pipeline(self, **params: Unpack[t.ListDatacenterPipelineParams]) -> Listing[t.PlannedDatacenter]:
        """Planned data centers: a tracker's proposals, and load requests published by operators. Optionally also those that operate, or were withdrawn or denied."""
        return Listing(self, ROUTES["list_datacenter_pipeline"], {**params})

    def list_datacenters(self, **params: Unpack[t.ListDatacentersParams]) -> Listing[t.ListDatacentersResponseData]:
        """Data centers with operator, address and estimated power, each recognized facility once."""
        return Listing(self, ROUTES["list_datacenters"], {**params})

    def list_deliveries(self, webhook_id: int, **params: Unpack[t.ListDeliveriesParams]) -> Listing[t.Delivery]:
        """Deliveries of a webhook with their results, newest first, a page at a time."""
        return Listing(self, ROUTES["list_deliveries"], {"webhook_id": webhook_id, **params})

    def list_developer_events(self, developer_id: str, **params: Unpack[t.ListDeveloperEventsParams]) -> Listing[t.ListDeveloperEventsResponseData]:
        """News about one developer, newest first."""
        return Listing(self, ROUTES["list_developer_events"], {"developer_id": developer_id, **params})

    def list_developer_projects(self, developer_id: str, **params: Unpack[t.ListDeveloperProjectsParams]) -> Listing[t.PortfolioProject]:
        """A developer's listed requests, filtered and sorted, with their stages."""
        return Listing(self, ROUTES["list_developer_projects"], {"developer_id": developer_id, **params})

    def list_developers(self, **params: Unpack[t.ListDevelopersParams]) -> Listing[t.Developer]:
        """Developers with their portfolios, filtered and sorted, a page at a time."""
        return Listing(self, ROUTES["list_developers"], {**params})

    def list_dg(self, **params: Unpack[t.ListDgParams]) -> Listing[t.DistributedGeneration]:
        """Distributed generation: installations, and totals of utilities and areas, filtered, a page at a time."""
        return Listing(self, ROUTES["list_dg"], {**params})

    def list_events(self, **params: Unpack[t.ListEventsParams]) -> Listing[t.NewsEvent]:
        """News about developers, classified and matched to them; newest first."""
        return Listing(self, ROUTES["list_events"], {**params})

    def list_generators(self, **params: Unpack[t.ListGeneratorsParams]) -> Listing[t.Generator]:
        """Generators of form EIA-860 in one year, by default the newest, each once: stage, technology and capacity."""
        return Listing(self, ROUTES["list_generators"], {**params})

    def list_integrity_findings(self, finding: t.FindingValue, **params: Unpack[t.ListIntegrityFindingsParams]) -> Listing[t.ListIntegrityFindingsResponseData]:
        """Listed requests without progress, or with dates that cannot be right, a page at a time."""
        return Listing(self, ROUTES["list_integrity_findings"], {"finding": finding, **params})

    def list_investable(self, **params: Unpack[t.ListInvestableParams]) -> Listing[t.InvestableProject]:
        """Open requests that a lender can look at, best first: agreement executed, neither energized nor operating, date ahead (or overdue and being built) within max_months of the list, min_mw added, and p_cod_36 of at least min_p."""
        return Listing(self, ROUTES["list_investable"], {**params})

    def list_itc_deals(self, **params: Unpack[t.ListItcDealsParams]) -> Listing[t.ItcDeal]:
        """Open requests that can claim the investment tax credit, largest expected credit first."""
        return Listing(self, ROUTES["list_itc_deals"], {**params})

    def list_ma_events(self, **params: Unpack[t.ListMaEventsParams]) -> Listing[t.MaEvent]:
        """Plants and queue positions that changed hands, newest first."""
        return Listing(self, ROUTES["list_ma_events"], {**params})

    def list_market_hubs(self, **params: Unpack[t.ListMarketHubsParams]) -> Listing[t.ListMarketHubsResponseData]:
        """Hubs, zones and interfaces with prices, the loaded data of each, and operators without prices."""
        return Listing(self, ROUTES["list_market_hubs"], {**params})

    def list_market_prices(self, **params: Unpack[t.ListMarketPricesParams]) -> Listing[t.MarketPrice]:
        """Wholesale power prices by hub: hours, or daily and monthly averages."""
        return Listing(self, ROUTES["list_market_prices"], {**params})

    def list_material_events(self, **params: Unpack[t.ListMaterialEventsParams]) -> Listing[t.MaterialEvent]:
        """Current reports (8-K) of events that matter to lenders and buyers, newest first."""
        return Listing(self, ROUTES["list_material_events"], {**params})

    def list_plans(self) -> t.ListPlansResponse:
        """The plans of keys and their limits."""
        return self._call(ROUTES["list_plans"], {})

    def list_plants(self, **params: Unpack[t.ListPlantsParams]) -> Listing[t.Plant]:
        """Power plants of form EIA-860 in one year, by default the newest: operator, location, grid connection and capacity."""
        return Listing(self, ROUTES["list_plants"], {**params})

    def list_pois(self, **params: Unpack[t.ListPoisParams]) -> Listing[t.Poi]:
        """Points of interconnection with their requests by outcome."""
        return Listing(self, ROUTES["list_pois"], {**params})

    def list_project_changes(self, project_id: str, **params: Unpack[t.ListProjectChangesParams]) -> Feed[t.Change]:
        """Changes of one interconnection request after a `seq`, oldest first."""
        return Feed(self, ROUTES["list_project_changes"], {"project_id": project_id, **params})

    def list_projects(self, **params: Unpack[t.ListProjectsParams]) -> Listing[t.ListProjectsResponseData]:
        """Interconnection requests, filtered and sorted, a page at a time."""
        return Listing(self, ROUTES["list_projects"], {**params})

    def list_provenance_rules(self) -> t.ListProvenanceRulesResponse:
        """The rules that turn cells into values: name and explanation."""
        return self._call(ROUTES["list_provenance_rules"], {})

    def list_saved_queries(self, **params: Unpack[t.ListSavedQueriesParams]) -> Listing[t.SavedQuery]:
        """The account's saved queries, oldest first, a page at a time."""
        return Listing(self, ROUTES["list_saved_queries"], {**params})

    def list_watchlist_changes(self, watchlist_id: int, **params: Unpack[t.ListWatchlistChangesParams]) -> Feed[t.ListWatchlistChangesResponseData]:
        """Changes of the requests in a watchlist, including those that entered or left it, after a `seq`, oldest first."""
        return Feed(self, ROUTES["list_watchlist_changes"], {"watchlist_id": watchlist_id, **params})

    def list_watchlists(self, **params: Unpack[t.ListWatchlistsParams]) -> Listing[t.Watchlist]:
        """The account's watchlists, oldest first, a page at a time."""
        return Listing(self, ROUTES["list_watchlists"], {**params})

    def list_webhooks(self, **params: Unpack[t.ListWebhooksParams]) -> Listing[t.Webhook]:
        """The account's webhooks, oldest first, a page at a time."""
        return Listing(self, ROUTES["list_webhooks"], {**params})

    def open_dispute(self, **params: Unpack[t.OpenDisputeParams]) -> t.Dispute:
        """Disputes a value, with evidence; a person reviews it. Limited by account and by address."""
        return self._call(ROUTES["open_dispute"], {**params})

    def quote(self, **params: Unpack[t.QuoteParams]) -> t.QuoteResponse:
        """Price and size of a call before it is made. Free; nothing is reserved."""
        return self._call(ROUTES["quote"], {**params})

    def recover_key(self, **params: Unpack[t.RecoverKeyParams]) -> t.RecoverKeyResponse:
        """Issues a new key by the token of a mailed link, and revokes all other keys of the account."""
        return self._call(ROUTES["recover_key"], {**params})

    def redeliver(self, webhook_id: int, delivery_id: int) -> t.Delivery:
        """Sends a delivery again, before pending ones; it keeps its `webhook-id`."""
        return self._call(ROUTES["redeliver"], {"webhook_id": webhook_id, "delivery_id": delivery_id})

    def register(self, **params: Unpack[t.RegisterParams]) -> t.IssuedKey:
        """Issues a free key, shown once. Takes JSON or a form."""
        return self._call(ROUTES["register"], {**params})

    def replay_webhook(self, webhook_id: int, **params: Unpack[t.ReplayWebhookParams]) -> t.Webhook:
        """Sends the changes after a `seq` again in order, then continues; each keeps its `webhook-id`."""
        return self._call(ROUTES["replay_webhook"], {"webhook_id": webhook_id, **params})

    def request_key(self, **params: Unpack[t.RequestKeyParams]) -> t.RequestKeyResponse:
        """Replaces a lost key: mails a link to the address, if it is the verified address of an account."""
        return self._call(ROUTES["request_key"], {**params})

    def resolve(self, **params: Unpack[t.ResolveParams]) -> t.ResolveResponse:
        """Finds the request for any current or former number, a number of Berkeley Lab or the EIA, a name with its location, or a point; with method and evidence."""
        return self._call(ROUTES["resolve"], {**params})

    def resolve_many(self, **params: Unpack[t.ResolveManyParams]) -> t.ResolveManyResponse:
        """The same of up to 1,000 queries at once, answered in their order."""
        return self._call(ROUTES["resolve_many"], {**params})

    def revoke_key(self) -> t.RevokeKeyResponse:
        """Revokes the key of this request, immediately and permanently."""
        return self._call(ROUTES["revoke_key"], {})

    def rotate_key(self, **params: Unpack[t.RotateKeyParams]) -> t.RotateKeyResponse:
        """Replaces the key of this request by a new one with the same plan and counters; the old one works until its grace ends."""
        return self._call(ROUTES["rotate_key"], {**params})

    def rotate_webhook(self, webhook_id: int) -> t.RotateWebhookResponse:
        """Creates a new secret, shown only once; for 24 hours deliveries are also signed with the old one."""
        return self._call(ROUTES["rotate_webhook"], {"webhook_id": webhook_id})

    def run_query(self, **params: Unpack[t.RunQueryParams]) -> t.RunQueryResponse:
        """One read-only SELECT in DuckDB's SQL over all databases, for at most 5 s and 10,000 rows, two at once; JSON, or CSV, Parquet or Arrow where Accept asks for it."""
        return self._call(ROUTES["run_query"], {**params})

    def run_saved_query(self, query_id: int, **params: Unpack[t.RunSavedQueryParams]) -> t.RunSavedQueryResponse:
        """Runs a saved query with these values of its parameters, as GET /query runs a statement: its limits, price and formats."""
        return self._call(ROUTES["run_saved_query"], {"query_id": query_id, **params})

    def search(self, **params: Unpack[t.SearchParams]) -> t.SearchResponse:
        """Developers by name or alias, projects by name, number, developer or point of interconnection, counties (`Kern County`, `Harris County, TX`) and points with a voltage (`Midway 500 kV`); best first."""
        return self._call(ROUTES["search"], {**params})

    def search_developers(self, **params: Unpack[t.SearchDevelopersParams]) -> Listing[t.SearchDevelopersResponseResults]:
        """Developers by name or alias, however spelled; best match first, a page at a time."""
        return Listing(self, ROUTES["search_developers"], {**params})

    def start_checkout(self, **params: Unpack[t.StartCheckoutParams]) -> t.StartCheckoutResponse:
        """Sells prepaid credits to a person: a token, and the page where a card pays for it. The token is empty until then."""
        return self._call(ROUTES["start_checkout"], {**params})

    def stop_alerts(self, token: str) -> t.StopAlertsResponse:
        """Ends the mails of a webhook by the token in each of them, also as one-click unsubscribe (RFC 8058). Idempotent."""
        return self._call(ROUTES["stop_alerts"], {"token": token})

    def stream_changes(self, **params: Unpack[t.StreamChangesParams]) -> Events:
        """Changes as they are recorded, as server-sent events (change.recorded), in order and without gaps from any past `seq`. Filters apply to the request after the change; with a filter, changes of many requests and backfilled changes are left out."""
        return Events(self, ROUTES["stream_changes"], {**params})

    def stream_events(self, **params: Unpack[t.StreamEventsParams]) -> Events:
        """News, filings, raises and changes of ownership as server-sent events, when they are recorded, matched again or withdrawn. An event may be delivered twice, with the same version."""
        return Events(self, ROUTES["stream_events"], {**params})

    def stream_scores(self, **params: Unpack[t.StreamScoresParams]) -> Events:
        """Changes of scores and tax credits as server-sent events (project.scored). An event may be delivered twice, with the same version."""
        return Events(self, ROUTES["stream_scores"], {**params})

    def summarise_changes(self, **params: Unpack[t.SummariseChangesParams]) -> t.SummariseChangesResponse:
        """Changes of the lists by day and region, withdrawals and new requests by region, and the developers with the most withdrawals."""
        return self._call(ROUTES["summarise_changes"], {**params})

    def summarise_events(self, **params: Unpack[t.SummariseEventsParams]) -> t.SummariseEventsResponse:
        """News by class, and the developers with the most news."""
        return self._call(ROUTES["summarise_events"], {**params})

    def summarise_ma_events(self) -> t.SummariseMaEventsResponse:
        """Changes of ownership by kind and confidence, and the largest acquirers."""
        return self._call(ROUTES["summarise_ma_events"], {})

    def summarise_milestones(self, **params: Unpack[t.SummariseMilestonesParams]) -> t.SummariseMilestonesResponse:
        """Construction stages of the listed generation requests, and how many state each milestone."""
        return self._call(ROUTES["summarise_milestones"], {**params})

    def test_webhook(self, webhook_id: int) -> t.Delivery:
        """Sends a signed test, or the challenge if it was not yet echoed (for e-mail, the link again), at once in a single attempt, and returns the result."""
        return self._call(ROUTES["test_webhook"], {"webhook_id": webhook_id})

    def validate(self, **params: Unpack[t.ValidateParams]) -> t.ValidateResponse:
        """Share of the listed generation requests with a known value of each enrichment."""
        return self._call(ROUTES["validate"], {**params})

    def verify_email(self, **params: Unpack[t.VerifyEmailParams]) -> t.VerifyEmailResponse:
        """Mails a link that makes this address the account's verified one. A verified address is changed by the operator only."""
        return self._call(ROUTES["verify_email"], {**params})

    def verify_value(self, **params: Unpack[t.VerifyValueParams]) -> t.VerifyValueResponse:
        """Reads the archived file of a value again and compares the result with the stored value."""
        return self._call(ROUTES["verify_value"], {**params})


class AsyncOperations(AsyncBase):
    async def buy_credits(self, **params: Unpack[t.BuyCreditsParams]) -> t.BuyCreditsResponse:
        """Sells prepaid credits to an agent: 402 with a card challenge (MPP stripe/charge), and with its payment the token."""
        return await self._call(ROUTES["buy_credits"], {**params})

    async def calculate_tax_credits(self, **params: Unpack[t.CalculateTaxCreditsParams]) -> t.CalculateTaxCreditsResponse:
        """Investment and production tax credit of a plant: base rate, bonus adders, end dates, warnings and the law behind each."""
        return await self._call(ROUTES["calculate_tax_credits"], {**params})

    async def change_credits(self, **params: Unpack[t.ChangeCreditsParams]) -> t.ChangeCreditsResponse:
        """Sets or removes the daily spending cap of the credit token of this request."""
        return await self._call(ROUTES["change_credits"], {**params})

    async def change_key(self, **params: Unpack[t.ChangeKeyParams]) -> t.ChangeKeyResponse:
        """Sets or removes the daily cap on queries of the key of this request."""
        return await self._call(ROUTES["change_key"], {**params})

    async def change_saved_query(self, query_id: int, **params: Unpack[t.ChangeSavedQueryParams]) -> t.SavedQuery:
        """Renames a saved query, or replaces its statement, database or parameters."""
        return await self._call(ROUTES["change_saved_query"], {"query_id": query_id, **params})

    async def change_watchlist(self, watchlist_id: int, **params: Unpack[t.ChangeWatchlistParams]) -> t.Watchlist:
        """Renames a watchlist or replaces its filters; requests that this adds or removes are not reported as entered or left."""
        return await self._call(ROUTES["change_watchlist"], {"watchlist_id": watchlist_id, **params})

    async def change_webhook(self, webhook_id: int, **params: Unpack[t.ChangeWebhookParams]) -> t.Webhook:
        """Changes or re-enables a webhook; pending deliveries are then sent."""
        return await self._call(ROUTES["change_webhook"], {"webhook_id": webhook_id, **params})

    async def compare_days(self, **params: Unpack[t.CompareDaysParams]) -> t.CompareDaysResponse:
        """Compares the requests of two days: as sums, as a matrix of old and new values, and as rows. Filters apply to the request on each day."""
        return await self._call(ROUTES["compare_days"], {**params})

    async def confirm_alerts(self, **params: Unpack[t.ConfirmAlertsParams]) -> t.ConfirmAlertsResponse:
        """Confirms by the token of a mailed link that its address receives changes by e-mail. Idempotent."""
        return await self._call(ROUTES["confirm_alerts"], {**params})

    async def confirm_email(self, **params: Unpack[t.ConfirmEmailParams]) -> t.ConfirmEmailResponse:
        """Verifies an account's e-mail address by the token of a mailed link."""
        return await self._call(ROUTES["confirm_email"], {**params})

    async def create_saved_query(self, **params: Unpack[t.CreateSavedQueryParams]) -> t.SavedQuery:
        """Saves a statement with parameters under a name. It is checked as in POST /query, but not run."""
        return await self._call(ROUTES["create_saved_query"], {**params})

    async def create_watchlist(self, **params: Unpack[t.CreateWatchlistParams]) -> t.Watchlist:
        """Saves filters of requests as a watchlist, whose changes are tracked."""
        return await self._call(ROUTES["create_watchlist"], {**params})

    async def create_webhook(self, **params: Unpack[t.CreateWebhookParams]) -> t.CreateWebhookResponse:
        """Sends changes, from now on or from a `seq`, to an address that echoes a challenge, to Slack or Teams, or as mails once the link in the first one was opened. The response contains the signing secret, shown only once."""
        return await self._call(ROUTES["create_webhook"], {**params})

    async def delete_account(self, **params: Unpack[t.DeleteAccountParams]) -> t.DeleteAccountResponse:
        """Deletes the account of the key, permanently: its keys, usage, watchlists, webhooks and saved queries."""
        return await self._call(ROUTES["delete_account"], {**params})

    async def delete_saved_query(self, query_id: int) -> t.DeleteSavedQueryResponse:
        """Deletes a saved query."""
        return await self._call(ROUTES["delete_saved_query"], {"query_id": query_id})

    async def delete_watchlist(self, watchlist_id: int) -> t.DeleteWatchlistResponse:
        """Deletes a watchlist. 409 while a webhook uses it."""
        return await self._call(ROUTES["delete_watchlist"], {"watchlist_id": watchlist_id})

    async def delete_webhook(self, webhook_id: int) -> t.DeleteWebhookResponse:
        """Deletes a webhook with its deliveries."""
        return await self._call(ROUTES["delete_webhook"], {"webhook_id": webhook_id})

    async def describe_dataset(self, dataset: t.DatasetValue) -> t.DescribeDatasetResponse:
        """One dataset: what it has, what it does not answer, what is missing of it now, its sources and endpoints."""
        return await self._call(ROUTES["describe_dataset"], {"dataset": dataset})

    async def export_account(self) -> t.ExportAccountResponse:
        """Everything stored about the account of the key: keys, usage, watchlists, webhooks and saved queries. Deliveries are in /webhooks/{webhook_id}/deliveries."""
        return await self._call(ROUTES["export_account"], {})

    def export_changes(self, **params: Unpack[t.ExportChangesParams]) -> AsyncContent:
        """Changes in the queues after a `seq`, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Filters apply to the requests now, or as of a day."""
        return AsyncContent(self, ROUTES["export_changes"], {**params})

    def export_developers(self, **params: Unpack[t.ExportDevelopersParams]) -> AsyncContent:
        """All developers that match the filters, with their portfolios, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel."""
        return AsyncContent(self, ROUTES["export_developers"], {**params})

    def export_plants(self, **params: Unpack[t.ExportPlantsParams]) -> AsyncContent:
        """All power plants of form EIA-860 in one year that match the filters, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON."""
        return AsyncContent(self, ROUTES["export_plants"], {**params})

    def export_prices(self, **params: Unpack[t.ExportPricesParams]) -> AsyncContent:
        """All wholesale power prices that match the filters, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Prices that a license withholds are left out."""
        return AsyncContent(self, ROUTES["export_prices"], {**params})

    def export_projects(self, **params: Unpack[t.ExportProjectsParams]) -> AsyncContent:
        """All interconnection requests that match the filters, or only those that changed, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON."""
        return AsyncContent(self, ROUTES["export_projects"], {**params})

    def export_scores(self, **params: Unpack[t.ExportScoresParams]) -> AsyncContent:
        """The scores of all open requests that match the filters, with components and chances, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel."""
        return AsyncContent(self, ROUTES["export_scores"], {**params})

    def get_archive_file(self, dataset: Literal["projects", "changes"], series: Literal["full", "delta"], file: str) -> AsyncContent:
        """One dated file as Parquet, by its name in /archive. It never changes."""
        return AsyncContent(self, ROUTES["get_archive_file"], {"dataset": dataset, "series": series, "file": file})

    async def get_asyncapi(self) -> t.GetAsyncapiResponse:
        """What is published, as an AsyncAPI 3.0 document: channels, messages and how to subscribe, with examples."""
        return await self._call(ROUTES["get_asyncapi"], {})

    def get_capital_leaderboard(self, **params: Unpack[t.GetCapitalLeaderboardParams]) -> AsyncListing[t.GetCapitalLeaderboardResponseData]:
        """Developers ranked by capital raised, capital per operating MW, or distress; ties and unknown values by late_stage_mw."""
        return AsyncListing(self, ROUTES["get_capital_leaderboard"], {**params})

    async def get_catalog(self) -> t.GetCatalogResponse:
        """Every endpoint by resource, with its parameters, response and price."""
        return await self._call(ROUTES["get_catalog"], {})

    async def get_changes_export_manifest(self, **params: Unpack[t.GetChangesExportManifestParams]) -> t.GetChangesExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of changes with the same parameters."""
        return await self._call(ROUTES["get_changes_export_manifest"], {**params})

    async def get_coverage(self) -> t.GetCoverageResponse:
        """Loaded and missing data by operator, field, dataset, location and year."""
        return await self._call(ROUTES["get_coverage"], {})

    async def get_credits(self) -> t.GetCreditsResponse:
        """The balance of the credit token of this request."""
        return await self._call(ROUTES["get_credits"], {})

    async def get_data_catalog(self) -> t.GetDataCatalogResponse:
        """Every dataset with its description, sources, licenses, size and freshness."""
        return await self._call(ROUTES["get_data_catalog"], {})

    async def get_developer(self, developer_id: str, **params: Unpack[t.GetDeveloperParams]) -> t.GetDeveloperResponse:
        """One developer: its names, portfolio, parent, subsidiaries and project companies."""
        return await self._call(ROUTES["get_developer"], {"developer_id": developer_id, **params})

    async def get_developer_capital(self, developer_id: str, **params: Unpack[t.GetDeveloperCapitalParams]) -> t.GetDeveloperCapitalResponse:
        """Capital that a developer raised, what it built, and signs that it is in distress or needs capital."""
        return await self._call(ROUTES["get_developer_capital"], {"developer_id": developer_id, **params})

    def get_developer_history(self, developer_id: str, **params: Unpack[t.GetDeveloperHistoryParams]) -> AsyncListing[t.GetDeveloperHistoryResponseData]:
        """A developer's portfolio of listed requests on every day on which a list changed it."""
        return AsyncListing(self, ROUTES["get_developer_history"], {"developer_id": developer_id, **params})

    async def get_developer_stats(self, **params: Unpack[t.GetDeveloperStatsParams]) -> t.GetDeveloperStatsResponse:
        """Number and capacity of developers by tier."""
        return await self._call(ROUTES["get_developer_stats"], {**params})

    async def get_developers_export_manifest(self, **params: Unpack[t.GetDevelopersExportManifestParams]) -> t.GetDevelopersExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of developers with the same parameters."""
        return await self._call(ROUTES["get_developers_export_manifest"], {**params})

    async def get_dg_stats(self, **params: Unpack[t.GetDgStatsParams]) -> t.GetDgStatsResponse:
        """Distributed generation of one source by state, technology, sector and year; sources overlap and are never added up."""
        return await self._call(ROUTES["get_dg_stats"], {**params})

    async def get_dispute(self, dispute_id: int) -> t.Dispute:
        """State of a dispute: open, accepted or refused, with the reason. Only reviewers see what its author wrote; the link is shown with a resulting correction."""
        return await self._call(ROUTES["get_dispute"], {"dispute_id": dispute_id})

    def get_docs(self) -> AsyncContent:
        """Interactive documentation, usable without an internet connection."""
        return AsyncContent(self, ROUTES["get_docs"], {})

    def get_event_docs(self) -> AsyncContent:
        """Documentation of the events to subscribe to, for people; usable without an internet connection."""
        return AsyncContent(self, ROUTES["get_event_docs"], {})

    async def get_export_manifest(self, **params: Unpack[t.GetExportManifestParams]) -> t.GetExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export with the same parameters."""
        return await self._call(ROUTES["get_export_manifest"], {**params})

    async def get_file(self, sha256: str) -> t.GetFileResponse:
        """An archived file: names, source, size, license, and each load with its outcome."""
        return await self._call(ROUTES["get_file"], {"sha256": sha256})

    def get_file_bytes(self, sha256: str) -> AsyncContent:
        """The archived bytes of a file whose license allows it (EIA, Berkeley Lab). Operators' files are not available."""
        return AsyncContent(self, ROUTES["get_file_bytes"], {"sha256": sha256})

    async def get_freshness(self) -> t.GetFreshnessResponse:
        """Is every pipeline as fresh as it should be?"""
        return await self._call(ROUTES["get_freshness"], {})

    async def get_health(self) -> t.GetHealthResponse:
        """For load balancers: 200 if the critical row counts are met, else 503."""
        return await self._call(ROUTES["get_health"], {})

    async def get_health_detailed(self) -> t.GetHealthDetailedResponse:
        """Rows, size and age of each database that exists."""
        return await self._call(ROUTES["get_health_detailed"], {})

    def get_llms(self) -> AsyncContent:
        """Orientation for agents as plain text (llmstxt.org): what the service has, how to get access, where to read more."""
        return AsyncContent(self, ROUTES["get_llms"], {})

    def get_llms_full(self) -> AsyncContent:
        """The whole reference as Markdown: parameters, fields with units, and a current response of each endpoint."""
        return AsyncContent(self, ROUTES["get_llms_full"], {})

    async def get_manifest(self) -> t.GetManifestResponse:
        """Name and version of this service, and the addresses of its documents."""
        return await self._call(ROUTES["get_manifest"], {})

    async def get_manifest_file(self) -> t.GetManifestFileResponse:
        """Capabilities of this service, by names that programs can search for."""
        return await self._call(ROUTES["get_manifest_file"], {})

    async def get_openapi(self) -> t.GetOpenapiResponse:
        """This interface as an OpenAPI 3.1 document, with examples from the data that is loaded."""
        return await self._call(ROUTES["get_openapi"], {})

    async def get_ownership(self, project_id: str, **params: Unpack[t.GetOwnershipParams]) -> t.GetOwnershipResponse:
        """Who owns the plant that a request became, as reported to the EIA. The owner is not the developer."""
        return await self._call(ROUTES["get_ownership"], {"project_id": project_id, **params})

    async def get_plants_export_manifest(self, **params: Unpack[t.GetPlantsExportManifestParams]) -> t.GetPlantsExportManifestResponse:
        """Rows, bytes and hash of the current export of plants with the same parameters."""
        return await self._call(ROUTES["get_plants_export_manifest"], {**params})

    async def get_poi(self, poi_id: str) -> t.GetPoiResponse:
        """One point of interconnection: its spellings, requests by outcome, what is ahead of each active one, and studied costs."""
        return await self._call(ROUTES["get_poi"], {"poi_id": poi_id})

    async def get_prices_export_manifest(self, **params: Unpack[t.GetPricesExportManifestParams]) -> t.GetPricesExportManifestResponse:
        """Rows, bytes and hash of the current export of prices with the same parameters."""
        return await self._call(ROUTES["get_prices_export_manifest"], {**params})

    async def get_pricing_info(self) -> t.GetPricingInfoResponse:
        """What a call costs without a key, by tier and endpoint, and the ways to pay that are enabled."""
        return await self._call(ROUTES["get_pricing_info"], {})

    async def get_project(self, project_id: str, **params: Unpack[t.GetProjectParams]) -> t.GetProjectResponse:
        """One interconnection request with every column, by its id or by any number it was ever filed under."""
        return await self._call(ROUTES["get_project"], {"project_id": project_id, **params})

    def get_project_history(self, project_id: str, **params: Unpack[t.GetProjectHistoryParams]) -> AsyncListing[t.ProjectState]:
        """Every state of one interconnection request: its days, the list's file, and the fields that differ."""
        return AsyncListing(self, ROUTES["get_project_history"], {"project_id": project_id, **params})

    async def get_project_provenance(self, project_id: str, **params: Unpack[t.GetProjectProvenanceParams]) -> t.GetProjectProvenanceResponse:
        """Origin of each value of a request: file, sheet, row, header, raw text, rule, and overruled values."""
        return await self._call(ROUTES["get_project_provenance"], {"project_id": project_id, **params})

    async def get_project_tax_credit(self, project_id: str, **params: Unpack[t.GetProjectTaxCreditParams]) -> t.ProjectCredit:
        """Calculation of a request's tax credit from its filed data: base rate, bonus adders, end dates, warnings and the law behind each."""
        return await self._call(ROUTES["get_project_tax_credit"], {"project_id": project_id, **params})

    def get_project_tile(self, z: int, x: int, y: int, **params: Unpack[t.GetProjectTileParams]) -> AsyncContent:
        """Requests as a vector tile (Web Mercator, for 512 pixels). Below zoom 5 layer `clusters`; then `places`, each as large as its location is known (`precision`, `radius` in pixels at zoom 0), and `requests`, those of a county in the largest circle within it."""
        return AsyncContent(self, ROUTES["get_project_tile"], {"z": z, "x": x, "y": y, **params})

    async def get_query(self, **params: Unpack[t.GetQueryParams]) -> t.GetQueryResponse:
        """The same as a link that can be shared: it returns the current result. While the data does not change, the result may be up to a minute old."""
        return await self._call(ROUTES["get_query"], {**params})

    async def get_query_schema(self, **params: Unpack[t.GetQuerySchemaParams]) -> t.GetQuerySchemaResponse:
        """All views and columns available in SQL, with types and units."""
        return await self._call(ROUTES["get_query_schema"], {**params})

    async def get_queue_integrity(self, **params: Unpack[t.GetQueueIntegrityParams]) -> t.GetQueueIntegrityResponse:
        """Quality of the queue data: totals, coverage, quarantined snapshots and implausible values; requests without progress, a page at a time."""
        return await self._call(ROUTES["get_queue_integrity"], {**params})

    async def get_receipt(self, receipt_id: str) -> t.GetReceiptResponse:
        """The payment for one call: amount, time, rail and operation. For the caller that paid; by transaction, which is public, for everyone."""
        return await self._call(ROUTES["get_receipt"], {"receipt_id": receipt_id})

    async def get_reconciliation(self, **params: Unpack[t.GetReconciliationParams]) -> t.GetReconciliationResponse:
        """Our counts and MW of each operator's queue beside Berkeley Lab's edition, form EIA-860 and the operator's own totals; every difference has a class and a rule."""
        return await self._call(ROUTES["get_reconciliation"], {**params})

    def get_register_page(self) -> AsyncContent:
        """A page with a form that issues a free key."""
        return AsyncContent(self, ROUTES["get_register_page"], {})

    async def get_saved_query(self, query_id: int) -> t.SavedQuery:
        """A saved query: its statement and its parameters."""
        return await self._call(ROUTES["get_saved_query"], {"query_id": query_id})

    async def get_score(self, project_id: str, **params: Unpack[t.GetScoreParams]) -> t.Score:
        """A request's investability score, its five components and the reasons."""
        return await self._call(ROUTES["get_score"], {"project_id": project_id, **params})

    async def get_score_backtest(self) -> t.GetScoreBacktestResponse:
        """Backtest of p_cod_24 and p_energized_24 on days outside their sample: reliability by operator and day, beside the projected date and the milestone alone."""
        return await self._call(ROUTES["get_score_backtest"], {})

    def get_score_history(self, project_id: str, **params: Unpack[t.GetScoreHistoryParams]) -> AsyncListing[t.GetScoreHistoryResponseData]:
        """Published scores of a request, with the inputs that changed: the newest 1,000 that were current at the end of a day."""
        return AsyncListing(self, ROUTES["get_score_history"], {"project_id": project_id, **params})

    async def get_scores_export_manifest(self, **params: Unpack[t.GetScoresExportManifestParams]) -> t.GetScoresExportManifestResponse:
        """Rows, bytes, hash, versions and columns of the current export of scores with the same parameters."""
        return await self._call(ROUTES["get_scores_export_manifest"], {**params})

    async def get_source_contracts(self, **params: Unpack[t.GetSourceContractsParams]) -> t.GetSourceContractsResponse:
        """The structure of each grid operator's newest list (sheets, columns, kinds of value, words) and how it differs from the list accepted before it."""
        return await self._call(ROUTES["get_source_contracts"], {**params})

    async def get_source_freshness(self) -> t.GetSourceFreshnessResponse:
        """When each source was last checked and last changed. Public."""
        return await self._call(ROUTES["get_source_freshness"], {})

    async def get_stats(self, **params: Unpack[t.GetStatsParams]) -> t.GetStatsResponse:
        """Active capacity, and totals of the listed requests by status, grid operator and technology."""
        return await self._call(ROUTES["get_stats"], {**params})

    async def get_usage(self, **params: Unpack[t.GetUsageParams]) -> t.GetUsageResponse:
        """Usage of the account this month, and the queries that remain."""
        return await self._call(ROUTES["get_usage"], {**params})

    def get_watchlist(self, watchlist_id: int, **params: Unpack[t.GetWatchlistParams]) -> AsyncListing[t.GetWatchlistResponseData]:
        """A watchlist and the requests that its filters choose now, a page at a time."""
        return AsyncListing(self, ROUTES["get_watchlist"], {"watchlist_id": watchlist_id, **params})

    async def get_webhook(self, webhook_id: int) -> t.Webhook:
        """One webhook: its progress, and why it was disabled."""
        return await self._call(ROUTES["get_webhook"], {"webhook_id": webhook_id})

    def group_projects(self, **params: Unpack[t.GroupProjectsParams]) -> AsyncListing[t.GroupProjectsResponseData]:
        """Number and MW of the requests that match the filters, by a common property; largest groups first."""
        return AsyncListing(self, ROUTES["group_projects"], {**params})

    async def list_archive(self) -> t.ListArchiveResponse:
        """The dated files of requests (monthly) and changes (daily), with their hashes. /archive/{dataset}/{series}/{file} returns one of them."""
        return await self._call(ROUTES["list_archive"], {})

    def list_capital_raises(self, **params: Unpack[t.ListCapitalRaisesParams]) -> AsyncListing[t.CapitalRaise]:
        """Exempt offerings of securities (Form D) as filed, newest first. An amendment restates: never sum both."""
        return AsyncListing(self, ROUTES["list_capital_raises"], {**params})

    def list_changes(self, **params: Unpack[t.ListChangesParams]) -> AsyncFeed[t.Change | t.ListChangesResponse2Data]:
        """Changes in the queues: by day, newest first, or after a `seq`, oldest first, as an endless log. Filters apply to the requests now, or as of a day."""
        return AsyncFeed(self, ROUTES["list_changes"], {**params})

    def list_datacenter_pipeline(self, **params: Unpack[t.ListDatacenterPipelineParams]) -> AsyncListing[t.PlannedDatacenter]:
        """Planned data centers: a tracker's proposals, and load requests published by operators. Optionally also those that operate, or were withdrawn or denied."""
        return AsyncListing(self, ROUTES["list_datacenter_pipeline"], {**params})

    def list_datacenters(self, **params: Unpack[t.ListDatacentersParams]) -> AsyncListing[t.ListDatacentersResponseData]:
        """Data centers with operator, address and estimated power, each recognized facility once."""
        return AsyncListing(self, ROUTES["list_datacenters"], {**params})

    def list_deliveries(self, webhook_id: int, **params: Unpack[t.ListDeliveriesParams]) -> AsyncListing[t.Delivery]:
        """Deliveries of a webhook with their results, newest first, a page at a time."""
        return AsyncListing(self, ROUTES["list_deliveries"], {"webhook_id": webhook_id, **params})

    def list_developer_events(self, developer_id: str, **params: Unpack[t.ListDeveloperEventsParams]) -> AsyncListing[t.ListDeveloperEventsResponseData]:
        """News about one developer, newest first."""
        return AsyncListing(self, ROUTES["list_developer_events"], {"developer_id": developer_id, **params})

    def list_developer_projects(self, developer_id: str, **params: Unpack[t.ListDeveloperProjectsParams]) -> AsyncListing[t.PortfolioProject]:
        """A developer's listed requests, filtered and sorted, with their stages."""
        return AsyncListing(self, ROUTES["list_developer_projects"], {"developer_id": developer_id, **params})

    def list_developers(self, **params: Unpack[t.ListDevelopersParams]) -> AsyncListing[t.Developer]:
        """Developers with their portfolios, filtered and sorted, a page at a time."""
        return AsyncListing(self, ROUTES["list_developers"], {**params})

    def list_dg(self, **params: Unpack[t.ListDgParams]) -> AsyncListing[t.DistributedGeneration]:
        """Distributed generation: installations, and totals of utilities and areas, filtered, a page at a time."""
        return AsyncListing(self, ROUTES["list_dg"], {**params})

    def list_events(self, **params: Unpack[t.ListEventsParams]) -> AsyncListing[t.NewsEvent]:
        """News about developers, classified and matched to them; newest first."""
        return AsyncListing(self, ROUTES["list_events"], {**params})

    def list_generators(self, **params: Unpack[t.ListGeneratorsParams]) -> AsyncListing[t.Generator]:
        """Generators of form EIA-860 in one year, by default the newest, each once: stage, technology and capacity."""
        return AsyncListing(self, ROUTES["list_generators"], {**params})

    def list_integrity_findings(self, finding: t.FindingValue, **params: Unpack[t.ListIntegrityFindingsParams]) -> AsyncListing[t.ListIntegrityFindingsResponseData]:
        """Listed requests without progress, or with dates that cannot be right, a page at a time."""
        return AsyncListing(self, ROUTES["list_integrity_findings"], {"finding": finding, **params})

    def list_investable(self, **params: Unpack[t.ListInvestableParams]) -> AsyncListing[t.InvestableProject]:
        """Open requests that a lender can look at, best first: agreement executed, neither energized nor operating, date ahead (or overdue and being built) within max_months of the list, min_mw added, and p_cod_36 of at least min_p."""
        return AsyncListing(self, ROUTES["list_investable"], {**params})

    def list_itc_deals(self, **params: Unpack[t.ListItcDealsParams]) -> AsyncListing[t.ItcDeal]:
        """Open requests that can claim the investment tax credit, largest expected credit first."""
        return AsyncListing(self, ROUTES["list_itc_deals"], {**params})

    def list_ma_events(self, **params: Unpack[t.ListMaEventsParams]) -> AsyncListing[t.MaEvent]:
        """Plants and queue positions that changed hands, newest first."""
        return AsyncListing(self, ROUTES["list_ma_events"], {**params})

    def list_market_hubs(self, **params: Unpack[t.ListMarketHubsParams]) -> AsyncListing[t.ListMarketHubsResponseData]:
        """Hubs, zones and interfaces with prices, the loaded data of each, and operators without prices."""
        return AsyncListing(self, ROUTES["list_market_hubs"], {**params})

    def list_market_prices(self, **params: Unpack[t.ListMarketPricesParams]) -> AsyncListing[t.MarketPrice]:
        """Wholesale power prices by hub: hours, or daily and monthly averages."""
        return AsyncListing(self, ROUTES["list_market_prices"], {**params})

    def list_material_events(self, **params: Unpack[t.ListMaterialEventsParams]) -> AsyncListing[t.MaterialEvent]:
        """Current reports (8-K) of events that matter to lenders and buyers, newest first."""
        return AsyncListing(self, ROUTES["list_material_events"], {**params})

    async def list_plans(self) -> t.ListPlansResponse:
        """The plans of keys and their limits."""
        return await self._call(ROUTES["list_plans"], {})

    def list_plants(self, **params: Unpack[t.ListPlantsParams]) -> AsyncListing[t.Plant]:
        """Power plants of form EIA-860 in one year, by default the newest: operator, location, grid connection and capacity."""
        return AsyncListing(self, ROUTES["list_plants"], {**params})

    def list_pois(self, **params: Unpack[t.ListPoisParams]) -> AsyncListing[t.Poi]:
        """Points of interconnection with their requests by outcome."""
        return AsyncListing(self, ROUTES["list_pois"], {**params})

    def list_project_changes(self, project_id: str, **params: Unpack[t.ListProjectChangesParams]) -> AsyncFeed[t.Change]:
        """Changes of one interconnection request after a `seq`, oldest first."""
        return AsyncFeed(self, ROUTES["list_project_changes"], {"project_id": project_id, **params})

    def list_projects(self, **params: Unpack[t.ListProjectsParams]) -> AsyncListing[t.ListProjectsResponseData]:
        """Interconnection requests, filtered and sorted, a page at a time."""
        return AsyncListing(self, ROUTES["list_projects"], {**params})

    async def list_provenance_rules(self) -> t.ListProvenanceRulesResponse:
        """The rules that turn cells into values: name and explanation."""
        return await self._call(ROUTES["list_provenance_rules"], {})

    def list_saved_queries(self, **params: Unpack[t.ListSavedQueriesParams]) -> AsyncListing[t.SavedQuery]:
        """The account's saved queries, oldest first, a page at a time."""
        return AsyncListing(self, ROUTES["list_saved_queries"], {**params})

    def list_watchlist_changes(self, watchlist_id: int, **params: Unpack[t.ListWatchlistChangesParams]) -> AsyncFeed[t.ListWatchlistChangesResponseData]:
        """Changes of the requests in a watchlist, including those that entered or left it, after a `seq`, oldest first."""
        return AsyncFeed(self, ROUTES["list_watchlist_changes"], {"watchlist_id": watchlist_id, **params})

    def list_watchlists(self, **params: Unpack[t.ListWatchlistsParams]) -> AsyncListing[t.Watchlist]:
        """The account's watchlists, oldest first, a page at a time."""
        return AsyncListing(self, ROUTES["list_watchlists"], {**params})

    def list_webhooks(self, **params: Unpack[t.ListWebhooksParams]) -> AsyncListing[t.Webhook]:
        """The account's webhooks, oldest first, a page at a time."""
        return AsyncListing(self, ROUTES["list_webhooks"], {**params})

    async def open_dispute(self, **params: Unpack[t.OpenDisputeParams]) -> t.Dispute:
        """Disputes a value, with evidence; a person reviews it. Limited by account and by address."""
        return await self._call(ROUTES["open_dispute"], {**params})

    async def quote(self, **params: Unpack[t.QuoteParams]) -> t.QuoteResponse:
        """Price and size of a call before it is made. Free; nothing is reserved."""
        return await self._call(ROUTES["quote"], {**params})

    async def recover_key(self, **params: Unpack[t.RecoverKeyParams]) -> t.RecoverKeyResponse:
        """Issues a new key by the token of a mailed link, and revokes all other keys of the account."""
        return await self._call(ROUTES["recover_key"], {**params})

    async def redeliver(self, webhook_id: int, delivery_id: int) -> t.Delivery:
        """Sends a delivery again, before pending ones; it keeps its `webhook-id`."""
        return await self._call(ROUTES["redeliver"], {"webhook_id": webhook_id, "delivery_id": delivery_id})

    async def register(self, **params: Unpack[t.RegisterParams]) -> t.IssuedKey:
        """Issues a free key, shown once. Takes JSON or a form."""
        return await self._call(ROUTES["register"], {**params})

    async def replay_webhook(self, webhook_id: int, **params: Unpack[t.ReplayWebhookParams]) -> t.Webhook:
        """Sends the changes after a `seq` again in order, then continues; each keeps its `webhook-id`."""
        return await self._call(ROUTES["replay_webhook"], {"webhook_id": webhook_id, **params})

    async def request_key(self, **params: Unpack[t.RequestKeyParams]) -> t.RequestKeyResponse:
        """Replaces a lost key: mails a link to the address, if it is the verified address of an account."""
        return await self._call(ROUTES["request_key"], {**params})

    async def resolve(self, **params: Unpack[t.ResolveParams]) -> t.ResolveResponse:
        """Finds the request for any current or former number, a number of Berkeley Lab or the EIA, a name with its location, or a point; with method and evidence."""
        return await self._call(ROUTES["resolve"], {**params})

    async def resolve_many(self, **params: Unpack[t.ResolveManyParams]) -> t.ResolveManyResponse:
        """The same of up to 1,000 queries at once, answered in their order."""
        return await self._call(ROUTES["resolve_many"], {**params})

    async def revoke_key(self) -> t.RevokeKeyResponse:
        """Revokes the key of this request, immediately and permanently."""
        return await self._call(ROUTES["revoke_key"], {})

    async def rotate_key(self, **params: Unpack[t.RotateKeyParams]) -> t.RotateKeyResponse:
        """Replaces the key of this request by a new one with the same plan and counters; the old one works until its grace ends."""
        return await self._call(ROUTES["rotate_key"], {**params})

    async def rotate_webhook(self, webhook_id: int) -> t.RotateWebhookResponse:
        """Creates a new secret, shown only once; for 24 hours deliveries are also signed with the old one."""
        return await self._call(ROUTES["rotate_webhook"], {"webhook_id": webhook_id})

    async def run_query(self, **params: Unpack[t.RunQueryParams]) -> t.RunQueryResponse:
        """One read-only SELECT in DuckDB's SQL over all databases, for at most 5 s and 10,000 rows, two at once; JSON, or CSV, Parquet or Arrow where Accept asks for it."""
        return await self._call(ROUTES["run_query"], {**params})

    async def run_saved_query(self, query_id: int, **params: Unpack[t.RunSavedQueryParams]) -> t.RunSavedQueryResponse:
        """Runs a saved query with these values of its parameters, as GET /query runs a statement: its limits, price and formats."""
        return await self._call(ROUTES["run_saved_query"], {"query_id": query_id, **params})

    async def search(self, **params: Unpack[t.SearchParams]) -> t.SearchResponse:
        """Developers by name or alias, projects by name, number, developer or point of interconnection, counties (`Kern County`, `Harris County, TX`) and points with a voltage (`Midway 500 kV`); best first."""
        return await self._call(ROUTES["search"], {**params})

    def search_developers(self, **params: Unpack[t.SearchDevelopersParams]) -> AsyncListing[t.SearchDevelopersResponseResults]:
        """Developers by name or alias, however spelled; best match first, a page at a time."""
        return AsyncListing(self, ROUTES["search_developers"], {**params})

    async def start_checkout(self, **params: Unpack[t.StartCheckoutParams]) -> t.StartCheckoutResponse:
        """Sells prepaid credits to a person: a token, and the page where a card pays for it. The token is empty until then."""
        return await self._call(ROUTES["start_checkout"], {**params})

    async def stop_alerts(self, token: str) -> t.StopAlertsResponse:
        """Ends the mails of a webhook by the token in each of them, also as one-click unsubscribe (RFC 8058). Idempotent."""
        return await self._call(ROUTES["stop_alerts"], {"token": token})

    def stream_changes(self, **params: Unpack[t.StreamChangesParams]) -> AsyncEvents:
        """Changes as they are recorded, as server-sent events (change.recorded), in order and without gaps from any past `seq`. Filters apply to the request after the change; with a filter, changes of many requests and backfilled changes are left out."""
        return AsyncEvents(self, ROUTES["stream_changes"], {**params})

    def stream_events(self, **params: Unpack[t.StreamEventsParams]) -> AsyncEvents:
        """News, filings, raises and changes of ownership as server-sent events, when they are recorded, matched again or withdrawn. An event may be delivered twice, with the same version."""
        return AsyncEvents(self, ROUTES["stream_events"], {**params})

    def stream_scores(self, **params: Unpack[t.StreamScoresParams]) -> AsyncEvents:
        """Changes of scores and tax credits as server-sent events (project.scored). An event may be delivered twice, with the same version."""
        return AsyncEvents(self, ROUTES["stream_scores"], {**params})

    async def summarise_changes(self, **params: Unpack[t.SummariseChangesParams]) -> t.SummariseChangesResponse:
        """Changes of the lists by day and region, withdrawals and new requests by region, and the developers with the most withdrawals."""
        return await self._call(ROUTES["summarise_changes"], {**params})

    async def summarise_events(self, **params: Unpack[t.SummariseEventsParams]) -> t.SummariseEventsResponse:
        """News by class, and the developers with the most news."""
        return await self._call(ROUTES["summarise_events"], {**params})

    async def summarise_ma_events(self) -> t.SummariseMaEventsResponse:
        """Changes of ownership by kind and confidence, and the largest acquirers."""
        return await self._call(ROUTES["summarise_ma_events"], {})

    async def summarise_milestones(self, **params: Unpack[t.SummariseMilestonesParams]) -> t.SummariseMilestonesResponse:
        """Construction stages of the listed generation requests, and how many state each milestone."""
        return await self._call(ROUTES["summarise_milestones"], {**params})

    async def test_webhook(self, webhook_id: int) -> t.Delivery:
        """Sends a signed test, or the challenge if it was not yet echoed (for e-mail, the link again), at once in a single attempt, and returns the result."""
        return await self._call(ROUTES["test_webhook"], {"webhook_id": webhook_id})

    async def validate(self, **params: Unpack[t.ValidateParams]) -> t.ValidateResponse:
        """Share of the listed generation requests with a known value of each enrichment."""
        return await self._call(ROUTES["validate"], {**params})

    async def verify_email(self, **params: Unpack[t.VerifyEmailParams]) -> t.VerifyEmailResponse:
        """Mails a link that makes this address the account's verified one. A verified address is changed by the operator only."""
        return await self._call(ROUTES["verify_email"], {**params})

    async def verify_value(self, **params: Unpack[t.VerifyValueParams]) -> t.VerifyValueResponse:
        """Reads the archived file of a value again and compares the result with the stored value."""
        return await self._call(ROUTES["verify_value"], {**params})
