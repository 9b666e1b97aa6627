/**
 * Corrects what operators file instead of a county: typing errors, abbreviations, towns and counties of another state. The list of queues.md
 * 5.1, extended by what the published files of 2018-2026 hold. Add an entry only after reading the row (its substation shows the
 * town): a guess is worse than the state's centre, which is the fallback.
 */
import { nameKey } from "#libs/counties/table.ts";

/** By filed state: `filed=county`, entries parted by `;`. A county may carry another state ("Kay OK"); several are parted by `,`. */
const filedAs: Record<string, string> = {
	AK: "Desha=Desha AR",
	AL: "Henry Conty=Henry; Shleby=Shelby; Talledega=Talladega; Autaugaville=Autauga",
	AZ: "Catron=Catron NM; Hyder=Yuma; Mojave=Mohave; San Juan=San Juan NM",
	CA:
		"Churchill=Churchill NV; King=Kings; L.A=Los Angeles; Maricopa=Kern; Mojave=Kern; Pershing=Pershing NV; Rosamond=Kern; " +
		"San Bernadino=San Bernardino; San Clara=Santa Clara; San Deigo=San Diego; San Jauquin=San Joaquin",
	CO:
		"Coconino=Coconino AZ; Fort Collins=Larimer; Golden=Jefferson; Hidalgo=Hidalgo NM; Hudson=Weld; Linln=Lincoln; " +
		"Loveland=Larimer; Mead=Weld; Wahsington=Washington; Wellington=Larimer",
	CT: "Ellington=Tolland; Livingston=Livingston NY; New Milford=Litchfield; Putnam=Windham",
	DE: "Clinton=Clinton NY",
	FL: "Hillborough=Hillsborough",
	GA: "Balwin=Baldwin; Barton=Bartow; Brantly=Brantley; Dooley=Dooly",
	IA: "Carrol=Carroll; Denison=Crawford",
	ID:
		"Bingham Bonneville=Bingham, Bonneville; Buhl=Twin Falls; Gooding Jerome Lincoln=Gooding, Jerome, Lincoln; " +
		"Jerome Lincoln Minidoka=Jerome, Lincoln, Minidoka",
	IN: "LeGrange=LaGrange; Tippecance=Tippecanoe",
	KS:
		"Aurora=Cloud; Bates=Bates MO; Beaumont SE Butler=Butler; Brownell=Ness; Burbon=Bourbon; Cimmaron=Gray; " +
		"Conway Springs=Sumner; Dickenson=Dickinson; Dodge City=Ford; El Dorado=Butler; Garden City=Finney; " +
		"Garden Plain=Sedgwick; Kansas City=Wyandotte; Kinsley=Edwards; Lavenworth=Leavenworth; Lin=Linn; " +
		"McPhearson=McPherson; Minneola=Clark; Neoshoe=Neosho; Oxford=Sumner; Riverton=Cherokee; " +
		"Riverton SE Cherokee=Cherokee; Salina NC Ellsworth=Ellsworth; Savonburg=Allen; Sedwick=Sedgwick; Spearville=Ford; " +
		"St. John=Stafford; Ulysses=Grant; Wellington=Sumner; Winfield=Cowley; Wright=Ford",
	KY: "Keaton=Kenton",
	MA: "Bershire=Berkshire; Wocester=Worcester",
	ME:
		"Aroostoock=Aroostook; Fairfield=Somerset; Frqanklin=Franklin; Kennedbec=Kennebec; Lewiston=Androscoggin; " +
		"Peneobscot=Penobscot; Penoboscot=Penobscot; Pisataquis=Piscataquis; Wiscasset=Lincoln",
	MI: "Shiawasse=Shiawassee",
	MN: "Moorhead=Clay",
	MO:
		"Atchinson=Atchison; Buchan=Buchanan; Indepedence=Jackson; Joplin=Jasper; Kansas City=Jackson; Kay=Kay OK; " +
		"LaRussell Energy Center=Jasper; LaRussell Energy Ctr.=Jasper; Maryville=Nodaway; Osborn=DeKalb; Pleasant Hill=Cass; " +
		"Sarcoxie=Jasper; Weston=Platte; Windsor=Henry",
	MS: "Clark=Clarke; Clarke Clounty=Clarke; Hanconk=Hancock",
	MT: "Fairview=Richland",
	NC: "Northhampton=Northampton; Tyrell=Tyrrell",
	ND: "Alexander=McKenzie; Max=McLean; Minot=Ward; Montrail=Mountrail; South Heart=Stark; Stanton=Mercer",
	NE:
		"Ainsworth=Brown; Beatrice=Gage; Blair=Washington; Bloomfield=Knox; Brownsville=Nemaha; Brule=Keith; Columbus=Platte; " +
		"Funk=Phelps; Grand Island=Hall; Greely=Greeley; Hallam=Lancaster; Hastings=Adams; Lexington=Dawson; " +
		"Meadow Grove=Madison; North Platte=Lincoln; Omaha=Douglas; Orleans=Harlan; Petersburg=Boone; Plattsmouth=Cass; " +
		"Sutherland=Lincoln; Syracuse=Otoe; Tekamah=Burt; Winside=Wayne; Yutan=Saunders",
	NJ: "Bayonne=Hudson; Linden=Union; Rockland=Rockland NY",
	NM:
		"Albuquerque=Bernalillo; Belen=Valencia; Bloomfield=San Juan; Chavez=Chaves; Clovis=Curry; Curray=Curry; Deming=Luna; " +
		"Dulce=Rio Arriba; Elida=Roosevelt; Gaines=Gaines TX; Hobbs=Lea; Kirtland=San Juan; La Plata=La Plata CO; " +
		"Lovington=Lea; Miguel=San Miguel; Moriarty=Torrance; Portales=Roosevelt; Roswell=Chaves; Tijeras=Bernalillo; " +
		"Tucumcari=Quay; Waterflow=San Juan",
	NV: "Church=Churchill; San Benito=San Benito CA",
	NY:
		"Alb.-Col.-Dutch.=Albany, Columbia, Dutchess; Allagany=Allegany; Alleghany=Allegany; Athens=Greene; Basom=Genesee; " +
		"Cahatauqua=Chautauqua; Canajoharie=Montgomery; Chatauqua=Chautauqua; Chautaqua=Chautauqua; " +
		"Clay=Onondaga; Courtland=Cortland; Croghan=Lewis; DE=Delaware; Delaware Queens=Delaware, Queens; Durhamville=Oneida; " +
		"Fort Plain=Montgomery; Fredonia=Chautauqua; Lancaster=Erie; Lansing=Tompkins; Lawrence=St. Lawrence; Linden=Union NJ; " +
		"Machias=Cattaraugus; Montgomary=Montgomery; Nassu=Nassau; Nassua=Nassau; " +
		"Niagara Falls=Niagara; Niagra=Niagara; NY=New York; Onieda=Oneida; " +
		"Ostego=Otsego; Rotterdam=Schenectady; Schodack Landing=Rensselaer; Setauket=Suffolk; Shoreham=Suffolk; " +
		"Stueben=Steuben; Thompkins=Tompkins; Tully=Onondaga; Verona=Oneida; " +
		"Wappingers Falls=Dutchess; Warsaw=Wyoming; Wawayanda=Orange; W.Chester=Westchester; West Henrietta=Monroe; " +
		"Westfield=Chautauqua; Westmoreland=Oneida; Wsch'r/Bkln/Qns=Westchester, Kings, Queens; York=Livingston; " +
		"Yorktown=Westchester",
	OK:
		"Ada=Pontotoc; Anadarko=Caddo; Apache=Caddo; Balko=Beaver; Bourbon=Bourbon KS; Braman=Kay; Canddian=Canadian; " +
		"Carrier=Garfield; Carte=Carter; Chouteau=Mayes; Commanche=Comanche; Deleware=Delaware; Drumright=Creek; " +
		"Duncan=Stephens; Elgin=Comanche; Faxon=Comanche; Fort Cobb=Caddo; Fort Gibson=Muskogee; Goltry=Alfalfa; " +
		"Goultry=Alfalfa; Hammon=Roger Mills; Harrah=Oklahoma; Headrick=Jackson; Hinton=Caddo; Konawa=Seminole; " +
		"La Flore=Le Flore; Lawton=Comanche; Luther=Oklahoma; Medford=Grant; Meers=Comanche; Mill Creek=Johnston; Minco=Grady; " +
		"Morrison=Noble; Mutual=Woodward; Newcastle=McClain; Newkirk=Kay; Novata=Nowata; Oakwood=Dewey; Ofuskee=Okfuskee; " +
		"Okeene=Blaine; Oklahoma City=Oklahoma; Oktaha=Muskogee; Oologah=Rogers; Pittsburgh=Pittsburg; Ponca City=Kay; " +
		"Red Rock=Noble; Sand Springs=Tulsa; Sawyer=Choctaw; Sayre=Beckham; Seiling=Dewey; Sharon=Woodward; " +
		"South Coffeyville=Nowata; Sperry=Tulsa; Stephen=Stephens; Stevens=Stephens; Walters=Cotton; Wasita=Washita",
	OR: "Hood=Hood River; Mahlheur=Malheur; Skamania=Skamania WA",
	RI:
		"Cranston=Providence; Middletown=Newport; N. Smithfield=Providence; North Kingstown=Washington; Povidence=Providence; " +
		"Washinton=Washington",
	SD: "Aberdeen=Brown; Huron=Beadle; Lake Preston=Kingsbury; Oglala=Oglala Lakota; Plankinton=Aurora",
	TN: "Dryer=Dyer",
	TX:
		"Abernathy=Hale; Amarillo=Potter; Denver City=Yoakum; Earth=Lamb; Gruver=Hansford; Hale Center=Hale; " +
		"Hallsville=Harrison; Handsford=Hansford; Hart=Castro; Levelland=Hockley; Lorenzo=Crosby; Paducah=Cottle; " +
		"Palmer=Parmer; Panhandle=Carson; Peoria=Peoria IL; Spearman=Hansford; Stinnett=Hutchinson; Whiteface=Cochran",
	VA: "Carolina=Caroline",
	VT: "Calendonia=Caledonia; Colchester=Chittenden; West Rutland=Rutland",
	WA: "Kiickitat=Klickitat",
	WV: "Raliegh=Raleigh",
	WY: "Rock Springs=Sweetwater",
};

interface Correction {
	state: string;
	filed: string;
	counties: string[];
}

/** Every entry of the list: for the check that each leads to counties. */
export function allCorrections(): Correction[] {
	return Object.entries(filedAs).flatMap(([state, list]) =>
		list.split(";").map((entry) => {
			const [filed = "", counties = ""] = entry.split("=");
			return { state, filed: filed.trim(), counties: counties.split(",").map((county) => county.trim()) };
		}),
	);
}

const byKey = new Map(
	allCorrections().map(({ state, filed, counties }) => [`${state}:${nameKey(filed)}`, counties] as const),
);

/** The counties ("Kings", or "Kay OK" in another state) meant by a filed name in a state; undefined without an entry. */
export function corrected(filed: string, state: string): string[] | undefined {
	return byKey.get(`${state}:${nameKey(filed)}`);
}
