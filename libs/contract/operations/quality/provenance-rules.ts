/** Rules that turn cells of files into values, by their permanent names. */

export const provenanceRules = {
	text: "The text of the cell, white space collapsed; words for nothing (N/A, TBD, Not Specified, Unknown, -) are null.",
	day: "The day that the cell states, as YYYY-MM-DD; a month alone is its first day, years before 1950 and after 2100 are null.",
	megawatts:
		"The number of the cell in MW, to three decimals; zero and less are no capacity. Of several columns the first that states one.",
	number: "The number as filed, without the operator's annotations.",
	"vocabulary.mapped":
		"A word that the service does not know, read as the known one that a person mapped it to: the evidence names both, the author and the day.",
	"list.constant": "The same for every request of the list: what the operator publishes no column for.",
	"list.absent": "The operator publishes nothing of it in this list.",
	"list.stated": "The list that states the request, and since when it has been in the operator's lists.",
	"list.id": "The region and the number as first filed; assigned once.",
	"county.register":
		"The county as filed, by its official name of the Census: misspellings are corrected, towns led to their county, a county of another state sought in the operator's states; the first of several.",
	"county.state": "Two letters of the state as filed, or of the state in which the operator has a county of that name.",
	"county.fips": "The Census code of the county.",
	"county.centre": "The centre of the county, of its state where no county is known; the precision says which.",
	"stage.evidence":
		"Withdrawn, operational and suspended follow the status; else construction, late, mid or early by what the status and study columns show.",
	"stage.confidence":
		"How directly the operator publishes the stage (0.95 the stage itself, 0.90 the agreement, 0.80 a study code, 0.65 study columns, 0.50 only that it is active), less 0.15 for a projected date a year past, 0.10 for a contradiction, 0.05 without a date.",
	"agreement.status":
		"Withdrawn, Operational and Construction follow the construction stage; else what the study phase stands for among the words of Berkeley Lab.",
	"evidence.other_source":
		"Another publisher's report that the plant runs, where the operator files no status or lists the request no more; what was filed is among the overruled.",
	"developer.link": "The developer behind the filed name or the request, by the method and evidence of the link.",
	"owners.schedule_4":
		"An owner of a generator of the plant that the request became, as Schedule 4 of the EIA's form 860 states it for the newest year; the inputs are its share, the plant and the generator.",
	"owners.operator":
		"The operator of the plant owns it wholly: the final Schedule 4 of the year, which lists joint owners and third parties alone, is silent of the generator.",
	"developer.rating": "Of the canonical developer.",
	"score.copy":
		"Computed from the request, its tax credit and what is published of its developer, by the version in the evidence; the address has its inputs.",
	"credit.copy":
		"As last computed by the tables of tax law, where what it was computed from cannot be said now; the address has each line with its citation.",
	"credit.energy_community":
		"Eligible where all counties of the request are in the newest list of the notices (26 USC 45(b)(11)); a county that holds coal-closure tracts is not enough, as the tract is not known. The cells are those of the counties, else of the tracts; a whole list that lacks a county says no.",
	"credit.low_income":
		"Possible, shown as true, where a census tract of the counties is a low-income community (26 USC 45D(e), 48E(h)): the tract decides, which is not known. The cells are those of the first 20 such tracts.",
	"credit.domestic_content":
		"By what the law gives to the technology and its dates: no source publishes what a plant is built of.",
	"credit.type":
		"The credit that is usual for the technology in the year placed in service, by the rows of the tables that are cited.",
	"credit.status": "By the end dates of the credit that are cited; the evidence says what it depends on.",
	"credit.rate":
		"(Base rate + adders that are counted) x the share that is left at the end dates; of a production credit its equivalent of an investment credit.",
	"credit.value": "The rate times the cost of the technology and the capacity, USD; null where one is not known.",
	"components.technology":
		"The parts that type_std names, of a hybrid: the list states nothing of each, so none has a capacity.",
	"caiso.components": "Of up to three units each: the technology of its fuel, else of its type, and its MW as filed.",
	"caiso.type": "The types as filed, joined; the fuel where the type is missing or says Other.",
	"caiso.technology": "By the fuels; by the type where the fuel is missing or says Other.",
	"caiso.status":
		"The application status; Suspended where an active request has a suspension status; the sheet decides where the word is new.",
	"caiso.study_phase": "The agreement, else the furthest study that is complete; null of a withdrawn request.",
	"caiso.cluster_15": "The sheet that the request stands in: the workbook has no column of it.",
	"caiso.fuels": "The generation and fuel of up to three units, joined.",
	"ercot.type": "Fuel and technology, joined.",
	"ercot.technology": "By the technology where it decides (a battery is filed under fuel OTH), else by the fuel.",
	"ercot.sheet_status":
		"The sheets that the request stands in: details are active, the update sheets say inactive, cancelled or approved for operation; the furthest counts.",
	"ercot.study_phase": "By the words of the study phase; an agreement's date where they are missing.",
	"ercot.outcome_date":
		"The date of the update sheet, where its outcome is the approval to energise or to operate, or the cancellation.",
	"ercot.energized": "The approval to energise, else to synchronise.",
	"ercot.security": "Yes or No of the column of financial security.",
	"isone.status":
		"The project status, with Withdrawn before it where the request has a withdrawal; a letter of the page decides the standard status too. Where no word is filed a request that asks for a service runs if its row was updated on its operation date or later.",
	"isone.technology": "By fuel, unit, place and megawatts: batteries are filed as OT, and some wind at sea as WND.",
	"isone.capacity":
		"Net MW, else summer, else winter; in hundredths, as the page states them. A stated net of 0 is no capacity.",
	"isone.study_phase": "The agreement, else the furthest study that has begun; an operating plant has an agreement.",
	"isone.kind": "G is generation; ETU and TS are transmission.",
	"isone.actual_cod": "The operation date of a request that operates.",
	"lbnl.status":
		"Berkeley Lab's word for the status; completed is operational, and a word that is new is taken for active.",
	"lbnl.capacity": "The largest of up to three parts: they share one connection.",
	"lbnl.day":
		"The day of the cell in any of the ways in which the lists that Berkeley Lab gathers write it; a year alone is its 1 July. The year's column where no day is stated.",
	"lbnl.study_phase": "By Berkeley Lab's word for the study or agreement; null of a withdrawn request.",
	"miso.name": "The point of interconnection: MISO publishes no project names.",
	"miso.type": "Fuel and generating facility, joined.",
	"miso.technology": "By the facility, which names the parts of a hybrid; by the fuel where the facility is a machine.",
	"miso.kind": "High voltage DC is transmission, all else generation.",
	"miso.service": "The abbreviation of the service.",
	"miso.status":
		"Withdrawn by the request status, its date or the status after the agreement; operational by the status after the agreement; else active.",
	"miso.study_phase":
		"IA Executed of what is done, built or under construction; else by the study phase. Null of a withdrawn request.",
	"nyiso.cluster": "The letters before the first hyphen of a cluster's number.",
	"nyiso.technology": "By the fuel codes; wind in counties at the sea is offshore.",
	"nyiso.load": "A sheet of loads: fuel and end use, joined; the technology is Load.",
	"nyiso.kind": "By the sheet and the technology.",
	"nyiso.status":
		"The status code of the row, else the sheet that the request stands in, which also decides the standard status.",
	"nyiso.study_phase": "By the status code.",
	"nyiso.withdrawn": "The day of the last update of a withdrawn row: no date of withdrawal is published.",
	"nyserda.number": "NYSERDA and the number of the project.",
	"nyserda.county":
		"Of zone J the borough, by the ZIP code that the sheet Facilities has for the facility; elsewhere a ZIP code can be several counties'.",
	"nyserda.state": "The programme is New York's: the list has no column of it.",
	"nyserda.technology": "By the technology, with storage where the row states kWh of it.",
	"nyserda.status":
		"Operational where the row has a day of operation or of its first report, else active: the list states no status.",
	"nyserda.capacity": "What it generates, of storage alone what it discharges: kW, in MW.",
	"pjm.name": "The commercial name, else the point of interconnection.",
	"pjm.kind": "By the project type; a confirmed request is transmission.",
	"pjm.service": "Capacity or Energy, also where the cycle queue says CAPACITY_RESOURCE or ENERGY_RESOURCE.",
	"pjm.technology": "By the fuel; transmission where the kind is.",
	"pjm.status": "By the words of both queues; a word that is new is taken for active.",
	"pjm.capacity":
		"MW Energy; where it is 0, which asks for no output, MW Capacity alone (the rights), and where it is empty the maximum facility output, else MW Capacity.",
	"pjm.cod": "The revised in-service date, else the commercial operation milestone, else the projected date.",
	"pjm.study_phase": "IA Executed by the status or the agreement; else the furthest study that the columns show.",
	"pjm.cycle_phase": "IA Executed by the status; else by the stage of the cycle.",
	"spp.type": "The generation type, and the fuel where it differs.",
	"spp.technology": "By the generation type; by the fuel where that is Hybrid, Thermal or blank.",
	"spp.capacity": "The maximum injection, else the capacity, else summer, else winter MW.",
	"spp.status":
		"SPP's status is its study stage: agreement on schedule is active, on suspension suspended, in commercial operation operational; blank is active and not studied.",
	"spp.actual_cod": "The one date of commercial operation, where the status says that it has come.",
	"spp.agreement": "The status, where it is of the agreement.",
	"technology.tokens":
		"Each word of the type by the vocabulary of technologies, joined in its order; a name that says offshore makes wind offshore wind.",
	"utility.county": "The county as filed, the cut word Count left out.",
	"utility.poi": "The substation or line as filed, without the words nan of its joined columns.",
} as const satisfies Record<string, string>;

export type ProvenanceRule = keyof typeof provenanceRules;
