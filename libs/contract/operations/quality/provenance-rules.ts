/** Rules that derive values from cells of files, by their permanent names. */

export const provenanceRules = {
	text: "The text of the cell with white space collapsed; placeholders (N/A, TBD, Unknown, GridUnity, -) are null.",
	day: "The day of the cell as YYYY-MM-DD; a month becomes its first day; years before 1950 and after 2100 are null.",
	megawatts:
		"The number of the cell in MW, to three decimals, from the first of several columns with one; zero and negative values are null.",
	number: "The number as filed, without the operator's annotations.",
	"vocabulary.mapped":
		"An unknown word, read as the known word that a person mapped it to; the evidence names both words, the author and the day.",
	"list.constant": "The same for every request of the list, because the operator publishes no column for it.",
	"list.absent": "The operator does not publish it in this list.",
	"list.stated": "The list that states the request, and the time since which it has been in the operator's lists.",
	"list.id": "The region and the number as first filed; assigned once.",
	"county.register":
		"The filed county by its official Census name: misspellings are corrected, towns are replaced by their county, and a county outside the filed state is looked up in the operator's states; the first of several.",
	"county.state": "The state of the county, or the filed state if the county is not found.",
	"county.fips": "The Census code of the county.",
	"county.centre": "The center of the county, or of the state if the county is unknown; the precision states which.",
	"stage.evidence":
		"Withdrawn, operational and suspended follow the status; otherwise construction, late, mid or early, by the status and study columns.",
	"stage.confidence":
		"How directly the operator publishes the stage (0.95 the stage itself, 0.90 the agreement, 0.80 a study code, 0.65 study columns, 0.50 only that it is active), less 0.15 for a projected date a year past, 0.10 for a contradiction, 0.05 without a date.",
	"plant.state":
		"Operating, partially operating and retired follow the status; energized a day of energizing; under construction the construction stage, and unknown where its projected date is more than a year past; unknown also where an executed agreement's date has passed; else none, as for a suspended request. A day of backfeed after the projected date replaces it.",
	"request.incremental":
		"The capacity of a new plant, the new parts of a modification, and nothing of replacement, surplus and rights.",
	"request.addition":
		"Of a request that was complete and is active again, the technologies of the parts that it did not have then; of one whose plant runs by the EIA with other parts, those that the EIA does not have.",
	"queue.first":
		"The queue date that an earlier list stated: the newest states one more than a month later, which is among the overruled.",
	"queue.current":
		"The queue date of the newest list, if it is more than a month after queue_date, which stays as first filed.",
	"poi.name":
		"Built from the filed point: transmission owner (first word), state, station (or both ends of the line in alphabetical order), circuit, and nominal voltage (or county, if no voltage is filed); CAISO's 220 kV is 230 kV. A point filed without a state gets the id of the one point in the list that has the same other parts, if exactly one exists. Null if the text does not name a single point.",
	"agreement.status":
		"Withdrawn, Operational and Construction follow the construction stage; otherwise the study phase in Berkeley Lab's terms.",
	"evidence.other_source":
		"Another publisher's report on the plant: the EIA's of one that began to operate after the request was made, with its technology and capacity, or that is still planned; Berkeley Lab's if the operator files no status or no longer lists the request. The filed values are among the overruled.",
	"evidence.outcome_sheet":
		"The operator's sheet of approvals or cancellations, in a report after the last list with the request; the filed values are among the overruled.",
	"evidence.absence":
		"The request has disappeared from its operator's lists, and no source states its outcome; the filed values are among the overruled.",
	"developer.link": "The developer of the filed name or the request, by the method and evidence of the link.",
	"owners.schedule_4":
		"An owner of a generator of the request's plant, by Schedule 4 of form EIA-860 for the newest year; the inputs are its share, the plant and the generator.",
	"owners.operator":
		"The operator owns the plant wholly, because the final Schedule 4 of the year, which lists only joint owners and third parties, does not list the generator.",
	"developer.rating": "Rating of the canonical developer.",
	"score.copy":
		"Computed from the request, its tax credit and published facts about its developer, by the version in the evidence; the address has its inputs.",
	"credit.copy":
		"As last computed by the tables of tax law, if its inputs are no longer available; the address has each line with its citation.",
	"credit.energy_community":
		"Eligible if all counties of the request are in the newest list of the notices (26 USC 45(b)(11)). A county with coal-closure tracts is not sufficient, because the tract is unknown. The cells are those of the counties, or of the tracts; a complete list without the county means no.",
	"credit.low_income":
		"Possible, shown as true, if a census tract of the counties is a low-income community (26 USC 45D(e), 48E(h)). The tract decides and is unknown. The cells are those of the first 20 such tracts.",
	"credit.domestic_content":
		"By the law's rules for the technology and its dates, because no source publishes the components of a plant.",
	"credit.type": "The usual credit for the technology in the year placed in service, by the cited rows of the tables.",
	"credit.status": "By the cited end dates of the credit; the evidence states the conditions.",
	"credit.rate":
		"(Base rate + counted adders) x the remaining share at the end dates; for a production credit, the equivalent investment credit.",
	"credit.value": "The rate times the cost of the technology and the capacity, USD; null if one is unknown.",
	"components.technology": "The parts of a hybrid in type_std; the list states no capacity of each.",
	"bpa.kind": "A name with line, loop, intertie or HVDC is transmission, unless it names a load; else load.",
	"bpa.poi": "The lines of the cell, joined.",
	"bpa.status": "By the status word; completed and confirmed, which Bonneville does not explain, are Unknown.",
	"caiso.components": "For each of up to three units: technology by fuel, or by type, and MW as filed.",
	"caiso.type": "The types as filed, joined; the fuel if the type is missing or Other.",
	"caiso.technology": "By the fuels; by the type if the fuel is missing or Other.",
	"caiso.status":
		"The application status; Suspended if an active request has a suspension status; by the sheet if the word is unknown.",
	"caiso.study_phase": "The agreement, or the last completed study; null for a withdrawn request.",
	"caiso.cluster_15": "The sheet with the request: the workbook has no column for it.",
	"caiso.fuels": "The generation and fuel of up to three units, joined.",
	"ercot.components": "The rows of one plant in the sheet: by county and name, or by bus and the start of the name.",
	"ercot.type": "Fuel and technology, joined.",
	"ercot.technology": "By the technology if it is specific (a battery is filed under fuel OTH), otherwise by the fuel.",
	"ercot.repower":
		"A project whose name says that it is repowered changes a plant: by ERCOT's note its capacity is the net change, which may be zero or less. 100 MW and more are the plant's; the change is not known.",
	"ercot.sheet_status":
		"The sheets with the request: details are active, the update sheets inactive, cancelled or approved for operation; the most advanced counts.",
	"ercot.study_phase": "By the study phase; by an agreement's date if it is missing.",
	"ercot.outcome_date":
		"The date in the update sheet, if its outcome is the approval to energize or to operate, or the cancellation.",
	"ercot.energized": "The approval to energize, or to synchronize.",
	"ercot.security": "Yes or No in the column of financial security.",
	"isone.status":
		"The project status, preceded by Withdrawn if the request has a withdrawal; a letter on the page also decides the standard status. Without a filed status, a request for a service is operational if its row was updated on its operation date or later; one filed ten years before the list, with no study to be done or under way, is Unknown.",
	"isone.technology": "By fuel, unit, place and megawatts: batteries are filed as OT, and some wind at sea as WND.",
	"isone.capacity":
		"Net, summer or winter MW, the first with a value; in hundredths, as on the page. A net of 0 is null.",
	"isone.request_class":
		"By Net MW, service and location: a net of 0 is capacity_rights if it is for CNR, otherwise a modification; a unit that has no Net MW and stands already is one, too; otherwise new.",
	"isone.incremental": "Net MW.",
	"isone.study_phase": "The agreement, or the last study that has begun; an operating plant has an agreement.",
	"isone.kind": "G is generation; ETU and TS are transmission.",
	"isone.actual_cod": "The operation date of an operational request.",
	"lbnl.status": "Berkeley Lab's status; completed is operational, and an unknown word is Unknown.",
	"lbnl.technology": "By up to three types; by Berkeley Lab's label if a type is unknown or they are only Other.",
	"lbnl.components": "Up to three parts: technology and MW; zero and negative values are null.",
	"lbnl.entity": "The utility whose queue it is, by the name of the newest edition.",
	"lbnl.capacity": "The largest of up to three parts: they share one connection.",
	"lbnl.day":
		"The day of the cell in any format of the lists that Berkeley Lab collects; a year becomes its 1 July. The column of the year if no day is stated.",
	"lbnl.study_phase": "By Berkeley Lab's term for the study or agreement; null for a withdrawn request.",
	"miso.name": "The point of interconnection: MISO publishes no project names.",
	"miso.type": "Fuel and generating facility, joined.",
	"miso.technology": "By the facility, which names the parts of a hybrid; by the fuel if the facility is a machine.",
	"miso.kind": "High voltage DC is transmission; everything else is generation.",
	"miso.service": "The abbreviation of the service.",
	"miso.status":
		"Withdrawn by the request status, its date or the status after the agreement; operational by the status after the agreement; otherwise active.",
	"miso.request_class":
		"By the first letter of the number: R is a replacement, S is surplus service; otherwise new, or a modification if its date of service lies two years before the request.",
	"miso.study_phase":
		"IA Executed if it is done, built or under construction; otherwise by the study phase. Null for a withdrawn request.",
	"nyiso.cluster": "The letters before the first hyphen of a cluster's number.",
	"nyiso.request_class": "capacity_rights for numbers of CR, which ask for deliverability alone; otherwise new.",
	"nyiso.technology": "By the fuel codes; wind in coastal counties is offshore.",
	"nyiso.load": "A sheet of loads: fuel and end use, joined; the technology is Load.",
	"nyiso.kind": "By the sheet and the technology.",
	"nyiso.status": "The status code of the row, or the sheet with the request, which also decides the standard status.",
	"nyiso.study_phase": "By the status code, which has another meaning in the sheets of clusters (6 is 6C there).",
	"nyiso.withdrawn": "The day of the last update of a withdrawn row: no date of withdrawal is published.",
	"nyserda.number": "NYSERDA and the number of the project.",
	"nyserda.county":
		"For zone J the borough, by the ZIP code in the sheet Facilities; elsewhere a ZIP code can belong to several counties.",
	"nyserda.state": "New York, whose program it is: the list has no column for it.",
	"nyserda.technology": "By the technology, with storage if the row states its kWh.",
	"nyserda.status":
		"Operational if the row has a day of operation or of its first report, otherwise active: the list states no status.",
	"nyserda.capacity": "Generating capacity, or discharge capacity for storage alone; kW converted to MW.",
	"pjm.name": "The commercial name, or the point of interconnection.",
	"pjm.kind": "By the project type; a confirmed request is transmission.",
	"pjm.service": "Capacity or Energy, also for CAPACITY_RESOURCE and ENERGY_RESOURCE of the cycle queue.",
	"pjm.technology": "By the fuel; transmission if the kind is transmission.",
	"pjm.status": "By the statuses of both queues; an unknown word is active.",
	"pjm.status_flag":
		"at_risk for a pending termination, retired if deactivated; void_window for active requests of the windows AH2 to AJ1 without a system impact study since 10 July 2023, which must reapply in Cycle 1 (FERC, docket ER22-2110, order of 29 November 2022).",
	"pjm.request_class": "capacity_rights if MW Energy is 0, because the request adds no output; otherwise new.",
	"pjm.operating": "MW In Service, for a plant that is partly in service.",
	"pjm.capacity":
		"MW Energy; if it is 0 (no output requested), MW Capacity (the rights); if it is empty, the maximum facility output, or MW Capacity.",
	"pjm.cod":
		"The revised in-service date, the commercial operation milestone or the projected date, the first that is filed.",
	"pjm.study_phase": "IA Executed by the status or the agreement; otherwise the last study in the columns.",
	"pjm.cycle_phase": "IA Executed by the status; otherwise by the stage of the cycle.",
	"spp.type": "The generation type, and the fuel if it differs.",
	"spp.technology": "By the generation type; by the fuel if the type is Hybrid, Thermal or blank.",
	"spp.capacity": "The maximum injection, capacity, summer or winter MW, the first that is filed.",
	"spp.status":
		"SPP's status is its study stage: agreement on schedule is active, on suspension suspended, in commercial operation operational; blank is active and not studied, or withdrawn if it has a date of withdrawal.",
	"spp.actual_cod": "The date of commercial operation, if the status states that operation has begun.",
	"spp.request_class": "Surplus and Replacement by the cluster; otherwise new.",
	"spp.agreement": "The status, if it is about the agreement.",
	"technology.tokens":
		"Each word of the type by the vocabulary of technologies, joined in its order; wind with offshore in its name is offshore wind.",
	"utility.county": "The county as filed, without the truncated word Count.",
	"utility.poi": "The substation or line as filed, without the words nan of its joined columns.",
} as const satisfies Record<string, string>;

export type ProvenanceRule = keyof typeof provenanceRules;
