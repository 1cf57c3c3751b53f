//! Which JSON Schema keywords a client understands.

/// For whom schemas are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Model Context Protocol: JSON Schema 2020-12.
    Mcp,
    /// OpenAI function calling, strict mode where the tool allows it.
    OpenAi,
    /// Gemini function calling.
    Gemini,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Profile; 3] = [Profile::Mcp, Profile::OpenAi, Profile::Gemini];

    /// The profile called so.
    pub fn named(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// `mcp`, `openai`, `gemini`.
    pub fn name(self) -> &'static str {
        match self {
            Profile::Mcp => "mcp",
            Profile::OpenAi => "openai",
            Profile::Gemini => "gemini",
        }
    }

    /// Whether schemas may use `keyword`.
    pub(super) fn has(self, keyword: Keyword) -> bool {
        match self {
            Profile::Mcp => true,
            Profile::OpenAi => match keyword {
                Keyword::Exclusive | Keyword::NumberEnum | Keyword::Closed => true,
                Keyword::AllOf
                | Keyword::Not
                | Keyword::PropertyNames
                | Keyword::PrefixItems
                | Keyword::Lengths
                | Keyword::MapSizes
                | Keyword::RootAnyOf
                | Keyword::Default => false,
            },
            Profile::Gemini => match keyword {
                Keyword::Lengths | Keyword::MapSizes => true,
                Keyword::AllOf
                | Keyword::Not
                | Keyword::PropertyNames
                | Keyword::PrefixItems
                | Keyword::Exclusive
                | Keyword::NumberEnum
                | Keyword::Closed
                | Keyword::RootAnyOf
                | Keyword::Default => false,
            },
        }
    }
}

/// Keywords that not every client has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    /// `allOf`.
    AllOf,
    /// `not`, and the schema `false`.
    Not,
    /// `propertyNames`.
    PropertyNames,
    /// `prefixItems`.
    PrefixItems,
    /// `exclusiveMinimum`, `exclusiveMaximum`.
    Exclusive,
    /// `enum` of anything but strings.
    NumberEnum,
    /// `additionalProperties`.
    Closed,
    /// `minLength`, `maxLength`.
    Lengths,
    /// `minProperties`, `maxProperties`.
    MapSizes,
    /// `anyOf` beside `properties` at the root.
    RootAnyOf,
    /// `default`.
    Default,
}
