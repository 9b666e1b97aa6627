/**
 * Counties, by FIPS code, in which a power reactor runs, or ran after 2010: nuclear plants of Form EIA-860 (2019, 2020, 2023), and
 * Kewaunee and Vermont Yankee. New London is also the planning region that replaced it.
 */
// biome-ignore format: one county per line would be longer and no clearer
export const reactorCounties: ReadonlySet<string> = new Set([
	"01069", "01083", "04013", "05115", "06073", "06079", "09011", "09180", "12017", "12086", "12111", "13001", "13033",
	"17039", "17063", "17099", "17141", "17161", "17197", "19113", "20031", "22089", "22125", "24009", "25023", "26021",
	"26115", "26159", "27049", "27171", "28021", "29027", "31127", "31177", "33015", "34029", "34033", "36075", "36117",
	"36119", "37019", "37119", "37183", "39085", "39123", "42007", "42043", "42079", "42091", "42133", "45031", "45039",
	"45073", "45091", "47065", "47143", "48321", "48425", "50025", "51109", "51181", "53005", "55061", "55071",
]);
