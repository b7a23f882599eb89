#include "corpus/profiles.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "corpus/text.h"
#include "corpus/word_lists.h"

namespace leafscore::internal::corpus {
namespace {

// A statement makes only one random choice if the order matters, because compilers may evaluate operands in
// any order.

std::string MailAddress(Random& random) {
  std::string mail(random.Pick(kFirstNames));
  mail += '.';
  mail += std::to_string(random.Below(1000));
  mail += '@';
  mail += random.Pick(kMailHosts);
  return mail;
}

std::string Street(Random& random) {
  std::string street(random.Pick(kStreets));
  street += ' ';
  street += std::to_string(random.Between(1, 200));
  return street;
}

void AddParty(Random& random, JsonTree& invoice, std::string_view key) {
  JsonTree& party = invoice.AddObject(key);
  party.AddString("name", std::string(random.Pick(kCompanies)));
  JsonTree& address = party.AddObject("address");
  address.AddString("street", Street(random));
  address.AddString("city", std::string(random.Pick(kCities)));
  const std::string_view country = random.Pick(kCountries);
  address.AddString("country", std::string(country));
  party.AddString("tax_id", DigitString(random, std::string(country), 9));
  if (key == "supplier") {
    JsonTree& contact = party.AddObject("contact");
    contact.AddString("person", PersonName(random));
    contact.AddString("email", MailAddress(random));
  }
}

// Amounts are in hundredths.
JsonTree MakeInvoice(Random& random) {
  JsonTree invoice{JsonKind::kObject, {}, {}, {}};
  invoice.children.reserve(16);
  invoice.AddString("invoice_number", DigitString(random, "INV-", 6));
  invoice.AddString("invoice_date", Date(random));
  invoice.AddString("currency", std::string(random.Pick(kCurrencies)));
  AddParty(random, invoice, "supplier");
  AddParty(random, invoice, "customer");

  std::int64_t net_total = 0;
  JsonTree& items = invoice.AddArray("line_items");
  const std::int64_t item_count = random.Between(3, random.Between(3, 8));
  for (std::int64_t i = 0; i < item_count; ++i) {
    const std::int64_t quantity = random.Between(1, 40);
    const std::int64_t unit_price =
        random.OneIn(4) ? 100 * random.Between(1, 900) : random.Between(50, 30000);
    net_total += quantity * unit_price;
    JsonTree& item = items.AddObject();
    item.AddString("sku", DigitString(random, "A-", 4));
    item.AddString("description", std::string(random.Pick(kProducts)));
    item.AddNumber("qty", quantity);
    item.AddNumber("unit_price", unit_price, 2);
    item.AddNumber("total", quantity * unit_price, 2);
  }
  const std::int64_t tax = net_total * (random.OneIn(3) ? 7 : 19) / 100;
  invoice.AddNumber("net_total", net_total, 2);
  invoice.AddNumber("tax", tax, 2);
  invoice.AddNumber("gross_total", net_total + tax, 2);
  invoice.AddBool("paid", random.OneIn(2));
  invoice.AddString("payment_terms", std::string(random.Pick(kPaymentTerms)));
  if (random.OneIn(2)) {
    invoice.AddNull("notes");
  } else {
    invoice.AddString("notes", Sentence(random));
  }
  return invoice;
}

JsonTree MakeTicket(Random& random) {
  JsonTree ticket{JsonKind::kObject, {}, {}, {}};
  ticket.children.reserve(16);
  ticket.AddNumber("ticket_id", random.Between(100000, 99999999));
  ticket.AddString("subject", Sentence(random));
  ticket.AddString("status", std::string(random.Pick(kTicketStates)));
  ticket.AddString("priority", std::string(random.Pick(kPriorities)));
  JsonTree& requester = ticket.AddObject("requester");
  requester.AddString("name", PersonName(random));
  requester.AddString("email", MailAddress(random));
  requester.AddString("plan", std::string(random.Pick(kPlans)));
  requester.AddBool("verified", !random.OneIn(5));
  if (random.OneIn(4)) {
    ticket.AddNull("assignee");
  } else {
    JsonTree& assignee = ticket.AddObject("assignee");
    assignee.AddString("name", PersonName(random));
    assignee.AddString("team", std::string(random.Pick(kTeams)));
  }
  ticket.AddString("created_at", Timestamp(random));
  ticket.AddString("updated_at", Timestamp(random));
  JsonTree& tags = ticket.AddArray("tags");
  for (std::uint64_t i = random.Below(5); i > 0; --i) tags.AddString({}, std::string(random.Pick(kTags)));
  JsonTree& history = ticket.AddArray("history");
  for (std::int64_t i = random.Between(1, 6); i > 0; --i) {
    JsonTree& event = history.AddObject();
    event.AddString("at", Timestamp(random));
    event.AddString("by", PersonName(random));
    event.AddString("action", std::string(random.Pick(kActions)));
    event.AddString("text", Prose(random, 20 + random.Below(120)));
    event.AddBool("public", random.OneIn(2));
  }
  ticket.AddNumber("first_reply_hours", random.Between(1, 900), 1);
  if (random.OneIn(3)) {
    ticket.AddNull("satisfaction");
  } else {
    ticket.AddNumber("satisfaction", random.Between(1, 5));
  }
  JsonTree& location = ticket.AddObject("location");
  location.AddNumber("latitude", random.Between(-9000000, 9000000), 5);
  location.AddNumber("longitude", random.Between(-18000000, 18000000), 5);
  return ticket;
}

std::string Phrases(Random& random, const Language& language, std::int64_t count) {
  std::string text(random.Pick(language.phrases));
  while (--count > 0) {
    text += ' ';
    text += random.Pick(language.phrases);
  }
  return text;
}

JsonTree MakeMultilingual(Random& random) {
  const std::uint64_t language_index = random.Below(std::size(kLanguages));
  const Language& language = kLanguages[language_index];
  JsonTree document{JsonKind::kObject, {}, {}, {}};
  document.children.reserve(16);
  document.AddString("language", std::string(language.code));
  document.AddString("author", std::string(random.Pick(language.names)));
  std::string title = Phrases(random, language, 1);
  title += ' ';
  title += random.Pick(kEmoji);
  document.AddString("title", std::move(title));
  document.AddString(language.keys[0], std::string(random.Pick(language.names)));
  document.AddString(language.keys[1], Phrases(random, language, 1));
  document.AddString("message", Phrases(random, language, random.Between(1, 6)));
  document.AddString("signature", "-- \n\t\"" + std::string(random.Pick(language.names)) + "\"\r\n");
  document.AddString("file/path", "C:\\docs\\" + std::string(random.Pick(language.names)) + "/v2.txt");

  JsonTree& translations = document.AddObject("translations");
  for (std::uint64_t i = 1; i <= 3; ++i) {
    const Language& other = kLanguages[(language_index + i * 3) % std::size(kLanguages)];
    translations.AddString(other.code, Phrases(random, other, 1));
  }
  JsonTree& reactions = document.AddObject("reactions");
  const std::uint64_t first_emoji = random.Below(std::size(kEmoji));
  for (std::uint64_t i = random.Below(4); i > 0; --i) {
    reactions.AddNumber(kEmoji[(first_emoji + i) % std::size(kEmoji)], random.Between(1, 250));
  }
  JsonTree& comments = document.AddArray("comments");
  for (std::uint64_t i = random.Below(4); i > 0; --i) {
    const Language& other = random.Pick(kLanguages);
    JsonTree& comment = comments.AddObject();
    comment.AddString("from", std::string(random.Pick(other.names)));
    comment.AddString("text", Phrases(random, other, random.Between(1, 2)));
    comment.AddBool("edited \"later\"", random.OneIn(4));
  }
  document.AddString("published", Date(random));
  document.AddNumber("rating", random.Between(10, 50), 1);
  return document;
}

std::string Code(Random& random, std::size_t min_bytes) {
  std::string code;
  while (code.size() < min_bytes) code += random.Pick(kCodeLines);
  return code;
}

JsonTree MakeLongText(Random& random) {
  JsonTree document{JsonKind::kObject, {}, {}, {}};
  document.AddString("title", Sentence(random));
  document.AddString("author", PersonName(random));
  document.AddString("published", Date(random));
  document.AddNumber("revision", random.Between(1, 40));
  document.AddBool("reviewed", random.OneIn(2));
  document.AddString("abstract", Prose(random, 500 + random.Below(700)));
  document.AddString("body", Prose(random, 500 + random.Below(5500), /*paragraphs=*/true));
  if (random.OneIn(2)) document.AddString("code", Code(random, 500 + random.Below(1500)));
  return document;
}

}  // namespace

std::optional<Profile> ParseProfile(std::string_view name) {
  const auto found = std::find(std::begin(kProfileNames), std::end(kProfileNames), name);
  if (found == std::end(kProfileNames)) return std::nullopt;
  return static_cast<Profile>(found - std::begin(kProfileNames));
}

JsonTree MakeDocument(Profile profile, Random& random) {
  switch (profile) {
    case Profile::kTickets:
      return MakeTicket(random);
    case Profile::kMultilingual:
      return MakeMultilingual(random);
    case Profile::kLongText:
      return MakeLongText(random);
    default:
      return MakeInvoice(random);
  }
}

}  // namespace leafscore::internal::corpus
